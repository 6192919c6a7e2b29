// The prompts that a client offers: how to use the servers from code, and how to add your own.

import { assignFunctionNames } from "../../codegen/index.js";
import { CoordinatorError, type Language } from "../../contracts/index.js";
import { nearestNames } from "../../schema/index.js";
import { findServer, type Host, quoteList, readCatalog } from "../host/host.js";
import { renderAddServers, renderUsageGuide } from "../presenting/prompt-texts.js";
import { readManual } from "../presenting/read-manual.js";
import { listServers } from "../servers/list-servers.js";
import { languages } from "./library-address.js";
import type { PromptSummary, PromptText } from "./library-verbs.js";

const prompts: readonly PromptSummary[] = [
  {
    name: "usage-guide",
    title: "Use the connected servers from code",
    description: "How to write programs that call this person's servers",
    arguments: [
      { name: "task", description: "The task", required: false },
      { name: "server", description: "Show this server's functions", required: false },
      { name: "language", description: "typescript (default) or python", required: false },
    ],
  },
  {
    name: "add-servers",
    title: "Add MCP servers",
    description: "Walks you through adding this person's own MCP servers, without secrets in the chat",
    arguments: [{ name: "service", description: "The service to connect, e.g. GitHub", required: false }],
  },
];

export const listPrompts = async (): Promise<readonly PromptSummary[]> => prompts;

/** Throws PROMPT_UNKNOWN with the available names. */
export const findPrompt = (name: string): PromptSummary => {
  const found = prompts.find((prompt) => prompt.name === name);
  if (found !== undefined) return found;
  const names = prompts.map((prompt) => prompt.name);
  const near = nearestNames(name, names);
  throw new CoordinatorError(
    "PROMPT_UNKNOWN",
    `Cannot get the prompt "${name.slice(0, 80)}": no prompt has that name`,
    { hint: near.length > 0 ? `Did you mean ${quoteList(near)}?` : `Prompts are: ${quoteList(names)}.` },
  );
};

const maxValue = 4000;

export const getPrompt = async (
  host: Host,
  {
    name,
    arguments: given = {},
  }: { readonly name: string; readonly arguments?: Readonly<Record<string, string>> | undefined },
): Promise<PromptText> => {
  const { description, arguments: known } = findPrompt(name);
  for (const [argument, value] of Object.entries(given)) {
    if (!known.some((one) => one.name === argument))
      throw new CoordinatorError(
        "USAGE",
        `Cannot get the prompt "${name}": it has no argument "${argument.slice(0, 80)}", it takes ${quoteList(known.map((one) => one.name))}`,
      );
    if (value.length > maxValue)
      throw new CoordinatorError(
        "USAGE",
        `Cannot get the prompt "${name}": the argument "${argument}" has ${value.length} characters, at most ${maxValue} are allowed`,
      );
  }
  const text =
    name === "add-servers" ? await writeAddServers(host, given) : await writeUsageGuide(host, given);
  return { description, text };
};

const readLanguage = (given: string | undefined): Language => {
  const language = given === undefined || given === "" ? "typescript" : given.toLowerCase();
  const found = languages.find((one) => one === language);
  if (found !== undefined) return found;
  throw new CoordinatorError(
    "USAGE",
    `Cannot get the prompt "usage-guide": its language is "${language.slice(0, 40)}", expected "typescript" or "python"`,
  );
};

const maxTools = 60;

const writeUsageGuide = async (
  host: Host,
  { task, server, language: requested }: Readonly<Record<string, string>>,
): Promise<string> => {
  const language = readLanguage(requested);
  const manual = await readManual(host, language);
  if (server === undefined || server === "") return renderUsageGuide({ manual, language, ...toTask(task) });
  const catalog = await readCatalog(host, findServer(host, server).name);
  const pythonNames = language === "python" ? assignFunctionNames(catalog) : undefined;
  const tools = catalog.tools.slice(0, maxTools).map((tool) => ({
    name: pythonNames?.get(tool) ?? tool.functionName,
    description: tool.description,
  }));
  return renderUsageGuide({
    manual,
    language,
    ...toTask(task),
    server: { identifier: catalog.identifier, tools, more: catalog.tools.length - tools.length },
  });
};

const toTask = (task: string | undefined): { task?: string | undefined } =>
  task === undefined || task.trim() === "" ? {} : { task: task.trim() };

const writeAddServers = async (
  host: Host,
  { service }: Readonly<Record<string, string>>,
): Promise<string> => {
  const servers = await listServers(host);
  return renderAddServers({
    ...(service === undefined || service.trim() === "" ? {} : { service: service.trim() }),
    // No address and no path: they may contain private data.
    servers: servers.map(({ name, status, error }) => ({
      name,
      status,
      code: error?.code,
    })),
  });
};
