// `completion`: prints a shell's completion script, and answers its queries with names that are known without starting a server.
import { readFile } from "node:fs/promises";
import type { Coordinator, NameKind } from "../../../coordinator/index.js";
import type { Command, CommandContext } from "../command.js";
import { type NameRequest, suggestWords } from "../completion/suggest-words.js";
import { usage } from "../read-words.js";
import { toOneLine } from "../render/plain-text.js";

const scripts: Readonly<Record<string, string>> = {
  bash: "mcp-coordinator.bash",
  zsh: "mcp-coordinator.zsh",
  fish: "mcp-coordinator.fish",
  powershell: "mcp-coordinator.ps1",
};

const suggest = async (context: CommandContext): Promise<number> => {
  const { screen, groups, words } = context;
  const found = await suggestWords({ words: words.slice(1), groups, listNames: listNamesWith(context) });
  if (screen.isJson) screen.document(found);
  else
    for (const { value, summary } of found)
      screen.print(summary === undefined ? toOneLine(value) : `${toOneLine(value)}\t${summary}`);
  return 0;
};

export const completion: Command = {
  name: "completion",
  usage: ["completion bash|zsh|fish|powershell"],
  description:
    "Completes commands, options, servers, tools and their arguments, skills, runs, workspaces and files from cached data. Starts no server.",
  examples: [
    ["source <(mcp-coordinator completion bash)", "For ~/.bashrc; with zsh for ~/.zshrc, after compinit"],
    ["mcp-coordinator completion fish | source", "For ~/.config/fish/config.fish"],
    ["mcp-coordinator completion powershell | Out-String | Invoke-Expression", "For $PROFILE"],
  ],
  options: {},
  run: async (context) => {
    const [shell = ""] = context.words;
    if (shell === "suggest") return suggest(context);
    const file = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
    if (file === undefined || context.words.length > 1) {
      const found =
        context.words.length === 0
          ? "no shell is named"
          : `"${context.words.join(" ")}" is not a supported shell`;
      throw usage(
        "print a completion script",
        `${found}, expected one of ${Object.keys(scripts).join(", ")}`,
        "completion",
      );
    }
    const script = await readFile(new URL(`../completion/${file}`, import.meta.url), "utf8");
    if (context.screen.isJson) context.screen.document({ shell, script });
    else context.screen.print(script.trimEnd());
    return 0;
  },
};

/** Placeholder → the kind of name. */
export const nameKinds: Readonly<Record<string, NameKind>> = {
  SERVER: "server",
  TOOL: "tool",
  SKILL: "skill",
  RUN_ID: "run",
  SESSION: "session",
  PLAN_ID: "run",
  ID: "value",
  WORKSPACE: "workspace",
  PROFILE: "profile",
  CALLER: "caller",
};

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
const listNamesWith =
  ({ open, groups }: Pick<CommandContext, "open" | "groups">) =>
  async (request: NameRequest): Promise<readonly string[]> => {
    const { placeholder, known, configs, value } = request;
    if (placeholder === "COMMAND") return groups.flatMap(({ commands }) => commands.map(({ name }) => name));
    try {
      if (placeholder === "CLIENT") {
        const { listClients } = await import("../../../coordinator/index.js");
        return (await listClients()).map(({ name }) => name);
      }
      const kind = Object.hasOwn(nameKinds, placeholder) ? nameKinds[placeholder] : undefined;
      const isWanted =
        kind !== undefined || ["SERVER.TOOL", "ARGUMENT", "PROMPT", "URI"].includes(placeholder);
      if (!isWanted) return [];
      const coordinator = await open({
        isQuiet: true,
        isUnattended: true,
        config: configs.length === 0 ? undefined : configs,
      });
      const complete: Complete = async (of, typed, facts = {}) =>
        (await coordinator.completeName({ of: { kind: of }, value: typed, known: facts })).values;
      if (kind === undefined) return await listOthers(request, coordinator, complete);
      return await complete(kind, value, known.SERVER === undefined ? {} : { server: known.SERVER });
    } catch {
      return [];
    }
  };
