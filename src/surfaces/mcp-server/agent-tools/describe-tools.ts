// What an agent sees up front: a few tools, with the catalog outline in the first one, and short instructions. Frameworks get the same tools as functions.
import { type CatalogOutline, type RunRequest, toFields } from "../../../contracts/index.js";
import type { Coordinator, SurfaceSettings } from "../../../coordinator/index.js";
import type { ShownResult } from "./answer-run.js";
import { callSurfaceTool } from "./call-surface-tool.js";
import { RefusedCall } from "./read-arguments.js";

export interface SurfaceTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: {
    readonly type: "object";
    readonly properties: Readonly<Record<string, object>>;
    readonly required?: readonly string[] | undefined;
  };
  readonly annotations?: Readonly<Record<string, boolean | string>> | undefined;
}

const text = { type: "string" };
const language = { type: "string", enum: ["typescript", "python"] };

/** Without an outline: the same short text for 1 and for 1,000 servers. */
export const describeTools = (
  settings: SurfaceSettings,
  outline?: CatalogOutline,
): readonly SurfaceTool[] => [
  ...(outline === undefined ? minimalTools : [runCode(outline, settings), searchTools]),
  ...(settings.hasCallTool ? [callTool] : []),
  ...(settings.hasRunPython ? [runPython] : []),
  ...(settings.hasAddServers ? [findServers, addServer] : []),
];

/** Clients cut long texts, so the services come first and the signatures last. */
const runCode = (outline: CatalogOutline, { hasMemory }: SurfaceSettings): SurfaceTool => ({
  name: "run_code",
  description: [
    `Runs a program that uses the connected services: ${outline.names}.`,
    `TypeScript: await service.function({ name: value }), or import { function } from "servers/service". Python: service.function(name=value), functions in snake_case. Top-level await and return work. Only what is printed or returned comes back, so loop, filter and combine in the program. A failing tool throws. rows(answer): always a list; paginate(function, args): all pages. Files under ./workspace/ (fs/promises, open) and ${hasMemory ? "" : "coordinator."}memory.save/load persist. No other network or packages.`,
    ...renderCatalog(outline),
  ].join("\n"),
  inputSchema: {
    type: "object",
    properties: {
      code: text,
      language,
      session: { ...text, description: "Keeps variables for later runs" },
      timeoutMs: { type: "integer" },
      resume: { ...text, description: "Id of a run to resume: its calls are not made again" },
      choose: {
        type: "string",
        enum: ["fork", "repeat", "skip", "cancel", "commit"],
        description: "With resume, if offered",
      },
      answer: { description: "With resume: answers the program's own question, approves nothing" },
      background: { type: "boolean", description: "Answer with a run id at once" },
      plan: { type: "boolean", description: "Only list the changes it would make" },
    },
    required: ["code"],
  },
  annotations: { title: "Run code", readOnlyHint: false, destructiveHint: true, openWorldHint: true },
});

const renderCatalog = ({
  signatures,
  knownTools,
  unknownServers,
  unknownNames,
  isComplete,
}: CatalogOutline): readonly string[] => {
  const unread = unknownServers === 0 ? "" : `; still being installed or read: ${unknownNames}`;
  if (isComplete) {
    const isCut = signatures.some((line) => /…|\+\d+ option/.test(line));
    const more = isCut ? "search_tools shows what is cut" : "no search needed";
    return [`COMPLETE list of functions, ${more}${noteUnknown(signatures)}:`, ...signatures];
  }
  if (knownTools === 0) return [`Functions: ask search_tools${unread}.`];
  return [
    `PARTIAL list, ${signatures.length} of ${knownTools} functions${unread}; search_tools finds the others${noteUnknown(signatures)}:`,
    ...signatures,
  ];
};

/** Lines of tools whose result is not known end with their arguments. */
const noteUnknown = (signatures: readonly string[]): string =>
  signatures.some((line) => line.endsWith(")")) ? "; print a result without a type once" : "";

const searchTools: SurfaceTool = {
  name: "search_tools",
  description:
    "Finds functions of the connected services by what you want to do. One short query for each step works best; several go in one call. Answers with import, signature, result type and an example.",
  inputSchema: {
    type: "object",
    properties: {
      query: text,
      queries: { type: "array", items: text },
      names: { type: "array", items: text, description: "Exactly these functions" },
      server: { ...text, description: "Only this service" },
      limit: { type: "integer", description: "Per query, default 5" },
      detail: { type: "string", enum: ["name", "summary", "full"] },
      language,
    },
  },
  annotations: { title: "Search tools", readOnlyHint: true },
};

const minimalTools: readonly SurfaceTool[] = [
  {
    name: "run_code",
    description:
      'Runs a TypeScript or Python program that calls tools of the connected services: import { function } from "servers/service". Only what is printed or returned comes back.',
    inputSchema: { type: "object", properties: { code: text, language }, required: ["code"] },
  },
  {
    name: "search_tools",
    description: "Finds functions by what you want to do.",
    inputSchema: { type: "object", properties: { query: text, server: text }, required: ["query"] },
    annotations: { readOnlyHint: true },
  },
];

const callTool: SurfaceTool = {
  name: "call_tool",
  description: "Calls one function without a program. For more than one call, use run_code.",
  inputSchema: {
    type: "object",
    properties: { server: text, tool: text, arguments: { type: "object" } },
    required: ["server", "tool"],
  },
};

const runPython: SurfaceTool = {
  name: "run_python",
  description:
    "Runs Python cell by cell: variables, functions and imports stay for the next call. Every service is an object, mcp_<service>.<function>(name=value), with or without await. runtime.list_servers(), runtime.search_tool_docs(query) and runtime.query_tool_docs(server, tool) find functions, runtime.capability_summary() is a manual. Only what is printed, and the last expression, comes back.",
  inputSchema: {
    type: "object",
    properties: {
      code: text,
      servers: { type: "array", items: text, description: "Only these services; [] is none" },
      timeout: { type: "integer", minimum: 1, description: "Seconds, at most the configured limit" },
    },
    required: ["code"],
  },
  annotations: { title: "Run Python", readOnlyHint: false, destructiveHint: true, openWorldHint: true },
};

const findServers: SurfaceTool = {
  name: "find_servers",
  description: "Finds services that are not connected but may be added.",
  inputSchema: { type: "object", properties: { query: text } },
  annotations: { readOnlyHint: true },
};

const addServer: SurfaceTool = {
  name: "add_server",
  description: "Connects a service that find_servers has found.",
  inputSchema: { type: "object", properties: { name: text }, required: ["name"] },
};

/** The names of all tools of ours, whether the settings offer them or not. */
export const agentToolNames: readonly string[] = [
  ...minimalTools,
  callTool,
  runPython,
  findServers,
  addServer,
].map(({ name }) => name);

/** Characters of the instructions used for names: clients cut long texts, and the tools also contain them. */
const maxNamesLength = { default: 200, minimal: 120 };

interface Surface {
  readonly tools: readonly SurfaceTool[];
  readonly instructions: string;
}

/** Everything a client shows its model before the first call. */
export const describeSurface = async (coordinator: Coordinator): Promise<Surface> => ({
  tools: await readTools(coordinator),
  instructions: renderInstructions(coordinator),
});

export const renderInstructions = ({
  serverNames,
  surface,
}: Pick<Coordinator, "serverNames" | "surface">): string => {
  const names = nameServers(serverNames, maxNamesLength[surface.kind]);
  if (surface.kind === "minimal") return `Connected services: ${names}. Call them from run_code.`;
  return `Connected services: ${names}. Use them by writing one program for run_code that calls as many functions as the task needs; search_tools finds functions. Intermediate results stay in the sandbox.`;
};

interface ReadToolsOptions {
  /** @default those of the coordinator */
  readonly surface?: SurfaceSettings | undefined;
  /** How long to wait for servers that were never listed. @default 0: none is started */
  readonly waitMs?: number | undefined;
}

/** The current tools. Stable until the catalog changes. */
export const readTools = async (
  coordinator: Coordinator,
  { surface = coordinator.surface, waitMs }: ReadToolsOptions = {},
): Promise<readonly SurfaceTool[]> => {
  if (surface.kind === "minimal") return describeTools(surface);
  const request = { maxTokens: surface.tokens, frame: "", waitMs };
  return describeTools(surface, await coordinator.outlineCatalog(request));
};

/** As many names as fit. */
const nameServers = (names: readonly string[], maxLength: number): string => {
  if (names.length === 0) return "none";
  const shown: string[] = [];
  let length = 0;
  for (const name of names) {
    length += name.length + 2;
    if (shown.length > 0 && length > maxLength) break;
    shown.push(name.slice(0, maxLength));
  }
  return shown.join(", ") + (shown.length < names.length ? ` and ${names.length - shown.length} more` : "");
};

export interface CreateToolsOptions {
  /** Offer the tool that calls a single tool without a program. @default the setting `callTool` */
  readonly callTool?: boolean | undefined;
  /** Asks people what a run asks; undefined leaves it paused. Without it the model reads the question. */
  readonly onQuestion?: RunRequest["onQuestion"] | undefined;
}

export interface CallableTool extends SurfaceTool {
  /** Never rejects for a model's mistake: the model reads the error and tries again. */
  readonly call: (given: unknown, signal: AbortSignal | undefined) => Promise<ShownResult>;
}

/** The current tools. Their descriptions change with the catalog, so list them again if that matters. */
export const listCallableTools = async (
  coordinator: Coordinator,
  { callTool = coordinator.surface.hasCallTool, onQuestion }: CreateToolsOptions = {},
): Promise<readonly CallableTool[]> => {
  const surface = { ...coordinator.surface, hasCallTool: callTool };
  const tools = await readTools(coordinator, { surface });
  const client = {};
  return tools.map((tool) => ({
    ...tool,
    call: async (given, signal = new AbortController().signal) => {
      const request = { name: tool.name, arguments: toFields(given), signal, client, surface, onQuestion };
      return callSurfaceTool(coordinator, request).catch((thrown: unknown) => {
        if (!(thrown instanceof RefusedCall)) throw thrown;
        return { content: [{ type: "text", text: thrown.message }], isError: true } as const;
      });
    },
  }));
};
