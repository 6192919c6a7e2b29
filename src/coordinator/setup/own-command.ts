// Determines the command that starts this copy of mcp-coordinator again, so that printed commands and written entries work wherever it is installed.
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { delimiter, dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";

export interface OwnCommand {
  readonly command: string;
  readonly args: readonly string[];
}

export interface OwnCommandFacts {
  /** The path of `bin/mcp-coordinator.mjs`. @default that of this copy */
  readonly script?: string | undefined;
  /** @default this machine's */
  readonly platform?: NodeJS.Platform | undefined;
  /** @default this process's */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** The folder of a project whose file other machines use too: the command has no path of this machine. */
  readonly sharedIn?: string | undefined;
}

const ownScript = fileURLToPath(new URL("../../../bin/mcp-coordinator.mjs", import.meta.url));

const name = "mcp-coordinator";

type Environment = Readonly<Record<string, string | undefined>>;

/** Whether the command of that name on the search path is this copy. */
const isOnPath = (script: string, platform: NodeJS.Platform, environment: Environment): boolean => {
  const folders = (environment.PATH ?? environment.Path ?? "").split(delimiter).filter((one) => one !== "");
  // A project's own folder is on the search path only in its scripts.
  const searched = folders.filter((folder) => !folder.includes(`node_modules${sep}.bin`));
  const found = searched
    .map((folder) => join(folder, platform === "win32" ? `${name}.cmd` : name))
    .find((path) => existsSync(path));
  if (found === undefined) return false;
  // npm's script for Windows is not a link. It is beside the packages that it starts.
  return platform === "win32"
    ? script.startsWith(join(dirname(found), "node_modules", name))
    : realpath(found) === realpath(script);
};

const realpath = (path: string): string => {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
};

/** The package that npx installed to start this copy. It is known to work, unlike the package's name alone. */
const findPackage = (script: string): string | undefined => {
  const marker = `${sep}_npx${sep}`;
  const at = script.indexOf(marker);
  if (at < 0) return undefined;
  const [folder = ""] = script.slice(at + marker.length).split(sep);
  try {
    const file = join(script.slice(0, at + marker.length), folder, "package.json");
    const { _npx } = JSON.parse(readFileSync(file, "utf8")) as { _npx?: { packages?: unknown } | undefined };
    const [first] = Array.isArray(_npx?.packages) ? _npx.packages : [];
    return typeof first === "string" ? first : undefined;
  } catch {
    return undefined;
  }
};

const shareable = (facts: OwnCommandFacts): OwnCommand | undefined => {
  const { script = ownScript, platform = process.platform, environment = process.env } = facts;
  if (isOnPath(script, platform, environment)) return { command: name, args: [] };
  const spec = findPackage(script);
  if (spec === undefined) return undefined;
  const words = spec === name || spec.startsWith(`${name}@`) ? ["-y", spec] : ["-y", "--package", spec, name];
  return toNpx(words, platform);
};

/** On Windows npx is a batch file, which only the shell can start. */
const toNpx = (words: readonly string[], platform = process.platform): OwnCommand =>
  platform === "win32" ? { command: "cmd", args: ["/c", "npx", ...words] } : { command: "npx", args: words };

/** For a configuration. Desktop programs have a short search path, so the entry has the full paths of Node and the script. */
export const findOwnCommand = (facts: OwnCommandFacts = {}): OwnCommand => {
  const { script = ownScript, sharedIn } = facts;
  if (sharedIn !== undefined) return findShared(sharedIn, facts) ?? { command: name, args: [] };
  const found = shareable(facts);
  if (found !== undefined && found.command !== name) return found;
  return { command: process.execPath, args: [realpath(script)] };
};

/** A package that npx loaded from a folder of this machine. */
const isLocalPackage = ({ args }: OwnCommand): boolean =>
  args.some((word) => /^(?:file:|[./~]|[a-z]:[\\/])/i.test(word));

/** A command that works on every machine, and on this one. */
const findShared = (folder: string, facts: OwnCommandFacts): OwnCommand | undefined => {
  const { script = ownScript, platform } = facts;
  const found = shareable(facts);
  if (found !== undefined && !isLocalPackage(found)) return found;
  // As a dependency of the project, npx finds it there, and downloads nothing.
  return realpath(script).startsWith(join(realpath(folder), "node_modules", name) + sep)
    ? toNpx(["--no", name], platform)
    : undefined;
};

/** Whether an entry for other machines also works on this one. */
export const isShareable = (folder: string, facts: OwnCommandFacts = {}): boolean =>
  findShared(folder, facts) !== undefined;

/** How to put this copy on the search path. */
export const describeInstallation = (script = ownScript): string =>
  `To install this copy, run: npm install -g ${quote(dirname(dirname(realpath(script))))}`;

const quote = (word: string): string => (/^[\w@%+=:,./\\-]+$/.test(word) ? word : JSON.stringify(word));

/** Rewrites the commands in a message to a form that works here. */
export const withOwnCommand = (text: string): string =>
  text.replace(
    /(["`])mcp-coordinator (?=[a-z])/g,
    (_match, before: string) => `${before}${renderOwnCommand()} `,
  );

/** For a terminal. */
export const renderOwnCommand = (facts: OwnCommandFacts = {}): string => {
  const { command, args } = shareable(facts) ?? { command: "node", args: [facts.script ?? ownScript] };
  return [command, ...args].map(quote).join(" ");
};
