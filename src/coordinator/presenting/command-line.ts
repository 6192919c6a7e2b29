// Renders the command that continues a run, quoted so that a person can paste it into any shell.
import { join, resolve } from "node:path";
import { type LoadOptions, listNamedPaths } from "../../config/index.js";
import type { Configuration, Settings, TrustRecord, UntrustedItem } from "../../contracts/index.js";
import { renderOwnCommand } from "../setup/own-command.js";

/** Words that need no quotes in any shell. */
const plain = /^[\w@%+=:,./-]+$/;

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
  // Loaded here because a start does not need it.
  const { createHash } = process.getBuiltinModule("node:crypto");
  return createHash("sha256").update(facts.sort().join("\n")).digest("hex").slice(0, 24);
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
