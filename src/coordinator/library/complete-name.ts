// Completes and lists names from what is known without starting a server: for library templates, prompts and the command line.
import { assignFunctionNames, toPackageNames } from "../../codegen/index.js";
import type { Tool } from "../../contracts/index.js";
import { listFields } from "../../schema/index.js";
import { listCallers } from "../callers/callers.js";
import { findServer, type Host } from "../host/host.js";
import { readKnownCatalog } from "../servers/list-tools.js";
import { findWorkspace, listStoredValues } from "../workspaces/workspaces.js";
import { languages, libraryTemplates } from "./library-addresses.js";
import { findPrompt } from "./list-prompts.js";

/** The kinds of names. `argument` is a tool's argument. */
export type NameKind =
  | "server"
  | "tool"
  | "argument"
  | "skill"
  | "run"
  | "session"
  | "value"
  | "workspace"
  | "profile"
  | "caller";

/** What to complete: an argument of a template or prompt, or a name on a command line. */
export interface CompletionRequest {
  /** A template of the library, a prompt, or names on a command line. */
  readonly of: { readonly template: string } | { readonly prompt: string } | { readonly kind: NameKind };
  /** The argument of the template or prompt. */
  readonly argument?: string | undefined;
  /** The text typed so far. */
  readonly value: string;
  /** Arguments already known, e.g. the server whose tools are completed. */
  readonly known?: Readonly<Record<string, string>> | undefined;
}

/** The names that complete a text, best first. */
export interface Completion {
  readonly values: readonly string[];
  /** The number of matches, including those left out. */
  readonly total: number;
}

const maxValues = 100;

export const completeName = async (host: Host, request: CompletionRequest): Promise<Completion> => {
  const { of, argument, value } = request;
  if ("kind" in of) return select(await listKnownNames(host, of.kind, request.known ?? {}), value);
  const isPython = "template" in of && of.template.includes("://mcp_tools/");
  const isKnown =
    "template" in of
      ? libraryTemplates.some(({ uriTemplate }) => uriTemplate === of.template)
      : findPrompt(of.prompt).arguments.some(({ name }) => name === argument);
  if (!isKnown) return { values: [], total: 0 };
  const names =
    argument === "server"
      ? listServerNames(host, isPython)
      : argument === "tool"
        ? await listToolNames(host, request.known?.server, isPython)
        : argument === "language"
          ? languages
          : [];
  return select(names, value);
};

const select = (names: readonly string[], value: string): Completion => {
  const wanted = value.toLowerCase();
  const fitting = names.filter((name) => name.toLowerCase().includes(wanted));
  const rank = (name: string): number => (name.toLowerCase().startsWith(wanted) ? 0 : 1);
  const values = fitting.sort((one, other) => rank(one) - rank(other) || (one < other ? -1 : 1));
  return { values: values.slice(0, maxValues), total: values.length };
};

const listServerNames = (host: Host, isPython: boolean): readonly string[] => {
  const names = isPython ? toPackageNames(host.identifiers) : host.identifiers;
  return host.configuration.servers
    .filter(({ isEnabled }) => isEnabled)
    .map(({ name }) => names.get(name) ?? name);
};

const listToolNames = async (
  host: Host,
  server: string | undefined,
  isPython: boolean,
): Promise<readonly string[]> => {
  if (server === undefined) return [];
  try {
    const [named] = [...toPackageNames(host.identifiers)].find(([, folder]) => folder === server) ?? [];
    const catalog = await readKnownCatalog(host, findServer(host, named ?? server).name);
    if (catalog === undefined) return [];
    return isPython
      ? [...assignFunctionNames(catalog).values()]
      : catalog.tools.map(({ functionName }) => functionName);
  } catch {
    // An unknown name has no completions.
    return [];
  }
};

type Known = Readonly<Record<string, string>>;

const maxRuns = 50;

const readKnownTools = async (host: Host, { server }: Known): Promise<readonly Tool[]> =>
  server === undefined ? [] : ((await readKnownCatalog(host, findServer(host, server).name))?.tools ?? []);

const listArguments = async (host: Host, known: Known): Promise<readonly string[]> => {
  const tool = (await readKnownTools(host, known)).find(
    ({ name, functionName }) => name === known.tool || functionName === known.tool,
  );
  return tool === undefined ? [] : listFields(tool.inputSchema).map(({ name }) => name);
};

const listers: Readonly<Record<NameKind, (host: Host, known: Known) => Promise<readonly string[]>>> = {
  server: async ({ configuration }) =>
    configuration.servers.filter(({ isEnabled }) => isEnabled).map(({ name }) => name),
  tool: async (host, known) => (await readKnownTools(host, known)).map(({ name }) => name),
  argument: listArguments,
  skill: async ({ skills }) => (await (await skills.open()).list()).map(({ path }) => path),
  run: async (host) =>
    ((await (await findWorkspace(host))?.runs.list({ limit: maxRuns })) ?? []).map(({ runId }) => runId),
  session: async (host) =>
    ((await (await findWorkspace(host))?.sessions.list()) ?? []).map(({ session_id: name }) => name),
  value: async (host) => (await listStoredValues(host, {})).map(({ id }) => id),
  workspace: async ({ openStore }) => (await (await openStore()).listWorkspaces()).map(({ name }) => name),
  profile: async ({ configuration }) => Object.keys(configuration.settings.profiles),
  caller: async (host) => (await listCallers(host)).map(({ name }) => name),
};

/** The known names, or none if unknown. */
const listKnownNames = async (host: Host, kind: NameKind, known: Known): Promise<readonly string[]> => {
  try {
    return await listers[kind](host, known);
  } catch {
    // Completion never reports errors.
    return [];
  }
};
