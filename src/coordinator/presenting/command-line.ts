// The commands that people paste and clients start: how this copy of mcp-coordinator is started, wherever it is installed, and with which words.
import { hash } from "node:crypto";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { delimiter, dirname, join, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { type LoadOptions, listNamedPaths } from "../../config/index.js";
import type { Configuration, Settings, TrustRecord, UntrustedItem } from "../../contracts/index.js";

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
/** Words that need no quotes in any shell. */
const plain = process.platform === "win32" ? /^[\w@%+=:,./\\-]+$/ : /^[\w@%+=:,./-]+$/;

const quote = (word: string): string => {
  if (plain.test(word)) return word;
  if (process.platform === "win32") return `"${word.replaceAll('"', '""')}"`;
  return `'${word.replaceAll("'", "'\\''")}'`;
};

const option = (name: string, value: string | undefined): readonly string[] =>
  value === undefined ? [] : [`--${name}`, value];

/** Settings of this process, from code or the environment, that another terminal may not have. */
const readStateFolder = (
  { environment = process.env, settings: given }: LoadOptions,
  settings?: Settings,
): string | undefined => {
  const named = given?.stateFolder ?? environment.MCP_COORDINATOR_STATE_FOLDER?.trim();
  if (named) return named;
  const defaultFolder = join(environment.XDG_STATE_HOME ?? "", "mcp-coordinator");
  return settings?.stateFolder === defaultFolder ? defaultFolder : undefined;
};

/** The same folder, configuration and state as this process. */
const renderPlace = (options: LoadOptions, settings?: Settings): readonly string[] => {
  const { config, project, environment = process.env } = options;
  const folder = resolve(options.workingFolder ?? ".");
  const isHome = (path: string): boolean => /^~(?=$|[\\/])/.test(path);
  return [
    ...option(project === undefined ? "folder" : "project", folder),
    ...(listNamedPaths({ config, environment, project })?.paths ?? []).flatMap((path) =>
      option("config", isHome(path) ? path : resolve(folder, path)),
    ),
    ...option("state-folder", readStateFolder(options, settings)),
  ];
};

const render = (words: readonly string[]): string => `${renderOwnCommand()} ${words.map(quote).join(" ")}`;

/** The command that shows what waits for trust. */
export const toTrustCommand = (options: LoadOptions): string => render(["trust", ...renderPlace(options)]);

/** Identifies exactly these items as they are now. */
const toTrustCode = (items: readonly (TrustRecord | UntrustedItem)[]): string => {
  const facts = items.map(({ kind, file, name, fingerprint }) =>
    JSON.stringify([kind, file, name, fingerprint]),
  );
  return hash("sha256", facts.sort().join("\n")).slice(0, 24);
};

/** Trusts the waiting items for one process, if `code` identifies exactly those. */
export const readTrusted = (
  items: readonly UntrustedItem[],
  code: string | undefined,
): readonly TrustRecord[] | undefined => {
  if (code !== toTrustCode(items)) return undefined;
  const trustedAt = new Date().toISOString();
  return items.map(({ before: _, facts: __, ...item }) => ({ ...item, trustedAt }));
};

export const toCommandLine = (
  words: readonly string[],
  options: LoadOptions,
  { settings, trusted }: Pick<Configuration, "settings" | "trusted">,
  workspace = settings.workspace,
): string => {
  // For the others, naming the file again is enough.
  const given = trusted.filter(({ isNamed }) => isNamed !== true);
  const isDefault = settings.workspace === "default" && options.settings?.workspace === undefined;
  return render([
    ...words,
    ...option("workspace", isDefault && workspace === settings.workspace ? undefined : workspace),
    ...renderPlace(options, settings),
    ...option("trusted", given.length === 0 ? undefined : toTrustCode(given)),
  ]);
};
