// All entries of all sources to server definitions: the first of a name wins, our own entry is left out.
import { resolve } from "node:path";
import { type CoordinatorError, hasInvisible, type ServerDefinition } from "../contracts/index.js";
import type { ExpanderContext } from "./create-expander.js";
import { quoteText } from "./describe-value.js";
import { isOwnEntry } from "./is-own-entry.js";
import type { ConfigurationSource } from "./read-sources.js";
import { kindOfPath } from "./resolve-path.js";
import { toServerDefinition } from "./to-server-definition.js";

export interface CollectOptions extends ExpanderContext {
  readonly sources: readonly ConfigurationSource[];
  readonly allowSelf: boolean;
  readonly onWarning: (text: string) => void;
  /** Why an entry that others may have written must not be used; without it everything may. */
  readonly judge?: ((request: EntryJudgement) => CoordinatorError | undefined) | undefined;
  /** Judge servers that are switched off, too. */
  readonly judgesDisabled?: boolean | undefined;
}

export interface EntryJudgement {
  readonly source: ConfigurationSource;
  readonly name: string;
  readonly raw: unknown;
  readonly written: string;
}

// Names that every object already has would be mistaken for servers wherever servers are looked up by name.
export const isUsableName = (name: string): boolean =>
  name.trim() !== "" && !hasInvisible(name) && !(name in Object.prototype) && name !== "prototype";

/** What `init` and `connect` leave in a client's file: a person knows of it. */
const writtenByInit = /^(?:(?:project|local)-)?coordinator$/;

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
        onWarning(`Server ${quoteText(name)} of "${source.name}" is left out: it cannot have that name`);
        continue;
      }
      // What came with a folder and is not trusted must not hide a server of the person's own.
      const taken = servers.get(name);
      if (taken !== undefined && taken.problem?.code !== "CONFIG_UNTRUSTED") continue;
      const server = toServerDefinition(name, raw, { ...options, source });
      if (!allowSelf && startsOurselves(server, workingFolder)) {
        if (writtenByInit.test(name)) continue;
        onWarning(
          `Server ${quoteText(name)} of "${source.name}" is left out: it would start mcp-coordinator itself; set "coordinator.allowSelf" to true to list it`,
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
