// Lists the names for a placeholder from the coordinator, without starting a server.
import type { Coordinator, NameKind } from "../../../coordinator/index.js";
import type { CommandContext } from "../command.js";
import type { NameRequest } from "./suggest-words.js";

/** Placeholder → the kind of name. */
const kinds: Readonly<Record<string, NameKind>> = {
  SERVER: "server",
  TOOL: "tool",
  SKILL: "skill",
  RUN_ID: "run",
  PLAN_ID: "run",
  ID: "kept",
  WORKSPACE: "workspace",
  PROFILE: "profile",
  CALLER: "caller",
};

/** Placeholders whose names come from elsewhere, or that only a person knows. */
const otherPlaceholders: readonly string[] = [
  ...["SERVER.TOOL", "ARGUMENT", "COMMAND", "CLIENT", "PROMPT", "URI"],
  ...["FILE", "PATH", "DIR"],
  ...["CODE", "TEXT", "WORDS", "QUERY", "JSON", "NAME", "NAME=VALUE", "TAG", "CATEGORY", "URL", "PROGRAM"],
  ...["TASK", "AMOUNT", "N", "MS", "DAYS", "PORT", "HOST", "VARIABLE"],
];

export const isKnownPlaceholder = (word: string): boolean =>
  Object.hasOwn(kinds, word) || otherPlaceholders.includes(word);

type Complete = (
  kind: NameKind,
  value: string,
  known?: Readonly<Record<string, string>>,
) => Promise<readonly string[]>;

// A server, and once it is typed, its tools.
const listServerTools = async (complete: Complete, value: string): Promise<readonly string[]> => {
  const servers = await complete("server", "");
  const meant = servers.filter((server) => value === server || value.startsWith(`${server}.`));
  const tools = await Promise.all(
    meant.map(async (server) => {
      const names = await complete("tool", value.slice(server.length + 1), { server });
      return names.map((name) => `${server}.${name}`);
    }),
  );
  return [...servers, ...tools.flat()];
};

const listOthers = async (
  { placeholder, value, known }: NameRequest,
  coordinator: Coordinator,
  complete: Complete,
): Promise<readonly string[]> => {
  if (placeholder === "SERVER.TOOL") return listServerTools(complete, value);
  if (placeholder === "PROMPT") return (await coordinator.listPrompts()).map(({ name }) => name);
  if (placeholder === "URI") return (await coordinator.listResources()).resources.map(({ uri }) => uri);
  if (placeholder !== "ARGUMENT" || known.SERVER === undefined || known.TOOL === undefined) return [];
  const names = await complete("argument", value, { server: known.SERVER, tool: known.TOOL });
  return names.map((name) => `${name}=`);
};

/** Asks only for what is needed. On any error there is nothing to suggest. */
export const listNamesWith =
  ({ open, groups }: Pick<CommandContext, "open" | "groups">) =>
  async (request: NameRequest): Promise<readonly string[]> => {
    const { placeholder, known, configs, value } = request;
    if (placeholder === "COMMAND") return groups.flatMap(({ commands }) => commands.map(({ name }) => name));
    try {
      if (placeholder === "CLIENT") {
        const { listClients } = await import("../../../coordinator/index.js");
        return (await listClients()).map(({ name }) => name);
      }
      const kind = Object.hasOwn(kinds, placeholder) ? kinds[placeholder] : undefined;
      const isAsked =
        kind !== undefined || ["SERVER.TOOL", "ARGUMENT", "PROMPT", "URI"].includes(placeholder);
      if (!isAsked) return [];
      const coordinator = await open({
        isQuiet: true,
        isUnattended: true,
        ...(configs.length === 0 ? {} : { config: configs }),
      });
      const complete: Complete = async (of, typed, facts = {}) =>
        (await coordinator.completeName({ of: { kind: of }, value: typed, known: facts })).values;
      if (kind === undefined) return await listOthers(request, coordinator, complete);
      return await complete(kind, value, known.SERVER === undefined ? {} : { server: known.SERVER });
    } catch {
      return [];
    }
  };
