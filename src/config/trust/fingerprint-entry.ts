// What of an entry decides what is run, as a hash: a change to it has to be looked at again.
import { isObject } from "../describe-value.js";

/** Variables that make a harmless command run other code. */
const steering =
  /^(?:(?:LD|DYLD)_\w+|NODE_(?:OPTIONS|PATH)|PATH|PYTHON(?:PATH|STARTUP|HOME|INSPECT)|BASH_ENV|ENV|PERL5(?:OPT|LIB)|RUBY(?:OPT|LIB)|JAVA_TOOL_OPTIONS|GIT_\w+|npm_config_\w+|(?:UV|PIP)_\w*(?:INDEX|FIND_LINKS)\w*)$/i;

const addressNames = ["url", "serverUrl", "httpUrl"];

export const hashText = (text: string): string =>
  // Loaded here: a start without project files has no use for it.
  process.getBuiltinModule("node:crypto").createHash("sha256").update(text).digest("hex");

const expandDeep = (value: unknown, expand: (text: string) => string): unknown => {
  if (typeof value === "string") return expand(value);
  return Array.isArray(value) ? value.map((item) => expandDeep(item, expand)) : value;
};

/**
 * Hashes command, arguments, folder, address, and the names of variables and headers. `expand` puts in what
 * files of the folder say, so that a changed `.env` is a changed command; the person's environment stays out of it.
 */
export const fingerprintEntry = (raw: unknown, expand: (text: string) => string): string => {
  const fields = isObject(raw) ? raw : {};
  const namesOf = (value: unknown): readonly string[] => (isObject(value) ? Object.keys(value).sort() : []);
  const environment = isObject(fields.env) ? fields.env : {};
  const steered = Object.entries(environment)
    .filter(([name]) => steering.test(name))
    .map(([name, value]) => [name, expandDeep(value, expand)])
    .sort();
  return hashText(
    JSON.stringify([
      expandDeep(fields.command ?? null, expand),
      expandDeep(fields.args ?? null, expand),
      expandDeep(fields.cwd ?? null, expand),
      expandDeep(fields.envFile ?? null, expand),
      fields.type ?? null,
      addressNames.map((name) => expandDeep(fields[name] ?? null, expand)),
      namesOf(fields.env),
      namesOf(fields.headers),
      steered,
    ]),
  );
};
