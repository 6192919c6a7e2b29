// Converts the entries of all sources to server definitions. The first entry of a name wins; our own entry is skipped.
import { resolve } from "node:path";
import { type CoordinatorError, hasInvisible, type ServerDefinition } from "../contracts/index.js";
import type { ExpanderContext } from "./expand-variables.js";
import { kindOfPath } from "./find-files.js";
import { quoteText } from "./parse-json.js";
import type { ConfigurationSource } from "./read-sources.js";
import { toServerDefinition } from "./to-server-definition.js";

export interface CollectOptions extends ExpanderContext {
  readonly sources: readonly ConfigurationSource[];
  readonly allowSelf: boolean;
  readonly onWarning: (text: string) => void;
  /** Says why an untrusted entry must not be used. Without it, every entry may be used. */
  readonly judge?: ((request: EntryJudgement) => CoordinatorError | undefined) | undefined;
  /** Also judge disabled servers. */
  readonly judgesDisabled?: boolean | undefined;
}

export interface EntryJudgement {
  readonly source: ConfigurationSource;
  readonly name: string;
  readonly raw: unknown;
  readonly written: string;
}

// Lookups by name would mistake inherited property names for servers.
export const isUsableName = (name: string): boolean =>
  name.trim() !== "" && !hasInvisible(name) && !(name in Object.prototype) && name !== "prototype";

/** The entries that `init` and `connect` write to a client's file. Skipping them needs no warning. */
const writtenByInit = /^(?:(?:project|local)-)?coordinator$/;

// The package, its command or its file, after a path, a scope or "npm:", with or without "@version".
const ownName = /(?:^|[\\/:])mcp-coordinator(?:@[^\\/]{1,200})?(?:\.(?:mjs|js|ts|cmd|exe|ps1))?$/i;
const shellCommandFlag = /^(?:-\w*c|\/c)$/i;

interface Invocation {
  readonly command: string;
  readonly args: readonly string[];
  /** A folder with our name is an argument of another server, not a program. */
  readonly isFolder: (path: string) => boolean;
}

/** Recognizes entries that would start mcp-coordinator itself, in an endless loop. */
export const isOwnEntry = ({ command, args, isFolder }: Invocation): boolean =>
  [command, ...args]
    .flatMap((word, index, words) =>
      shellCommandFlag.test(words[index - 1] ?? "") ? word.split(/[\s"']+/) : [word],
    )
    .map((word) => word.replace(/^--?[\w-]+=/, ""))
    .some((word) => ownName.test(word) && !/^https?:/i.test(word) && !(/[\\/]/.test(word) && isFolder(word)));

const startsOurselves = ({ target }: ServerDefinition, workingFolder: string): boolean => {
  if (target.kind !== "stdio") return false;
  const folder = target.cwd ?? workingFolder;
  return isOwnEntry({ ...target, isFolder: (path) => kindOfPath(resolve(folder, path)) === "folder" });
};

export const collectServers = (options: CollectOptions): readonly ServerDefinition[] => {
  const { sources, allowSelf, workingFolder, onWarning } = options;
  const servers = new Map<string, ServerDefinition>();
  for (const source of sources) {
    for (const [name, raw] of source.entries) {
      if (!isUsableName(name)) {
        onWarning(`Server ${quoteText(name)} of "${source.name}" is skipped: this name is not allowed`);
        continue;
      }
      // An untrusted entry of a folder must not hide the user's own server.
      const taken = servers.get(name);
      if (taken !== undefined && taken.problem?.code !== "CONFIG_UNTRUSTED") continue;
      const server = toServerDefinition(name, raw, { ...options, source });
      if (!allowSelf && startsOurselves(server, workingFolder)) {
        if (writtenByInit.test(name)) continue;
        onWarning(
          `Server ${quoteText(name)} of "${source.name}" is skipped: it would start mcp-coordinator itself; set "coordinator.allowSelf" to true to list it`,
        );
        continue;
      }
      const canStart = server.isEnabled || options.judgesDisabled === true;
      const isJudged = canStart && server.problem === undefined && source.needsTrust !== undefined;
      const problem = isJudged ? options.judge?.({ source, name, raw, written: server.written }) : undefined;
      servers.set(name, problem === undefined ? server : { ...server, problem });
    }
  }
  return [...servers.values()];
};
