// What an agent sees of us: two tools and a few lines of instructions, bounded whatever the number of servers.
import type { Coordinator } from "../../coordinator/index.js";

/** Characters spent on naming the servers: about 200 tokens. */
const maxNamesLength = 700;

export interface SurfaceTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: {
    readonly type: "object";
    readonly properties: Record<string, object>;
    readonly required: string[];
  };
  readonly annotations: Record<string, boolean | string>;
}

/** The servers' names, as many as fit. */
const nameServers = (names: readonly string[]): string => {
  if (names.length === 0) return "none";
  const shown: string[] = [];
  for (const name of names) {
    if (shown.length > 0 && [...shown, name].join(", ").length > maxNamesLength) break;
    shown.push(name);
  }
  return shown.join(", ") + (shown.length < names.length ? ` and ${names.length - shown.length} more` : "");
};

/** Everything a client shows its model before the first call. */
export const describeSurface = (
  coordinator: Coordinator,
): { tools: readonly SurfaceTool[]; instructions: string } => ({
  tools: describeTools(),
  instructions: renderInstructions(coordinator.serverNames),
});

export const renderInstructions = (names: readonly string[]): string =>
  `Connected MCP servers: ${nameServers(names)}. Use them by writing a program: find the functions with search_tools, then call as many as you need in one run_code. Intermediate results stay in the sandbox; only what the program prints or returns comes back.`;

export const describeTools = (): readonly SurfaceTool[] => [
  {
    name: "run_code",
    description: [
      "Runs a TypeScript (or Python) program that calls tools of the connected MCP servers as async functions.",
      'import { createIssue } from "servers/github"; const issue = await createIssue({ title: "Hi" }); return issue.number;',
      "Top-level await and return work. Prefer loops, Promise.all, filters and short results: only printed and returned data comes back. A failing tool throws. No network, files or packages besides the servers.",
    ].join("\n"),
    inputSchema: {
      type: "object",
      properties: {
        code: { type: "string", description: "The program" },
        language: { type: "string", enum: ["typescript", "python"], description: "Default typescript" },
        session: { type: "string", description: "Keep variables for later runs under this name" },
        timeoutMs: { type: "integer", description: "Time limit in ms" },
      },
      required: ["code"],
    },
    annotations: { title: "Run code", readOnlyHint: false, destructiveHint: true, openWorldHint: true },
  },
  {
    name: "search_tools",
    description:
      "Finds functions of the connected MCP servers by words; answers with import line, signature and purpose.",
    inputSchema: {
      type: "object",
      properties: {
        query: { type: "string", description: "What you want to do" },
        server: { type: "string", description: "Only this server" },
        limit: { type: "integer", description: "Default 5" },
      },
      required: ["query"],
    },
    annotations: { title: "Search tools", readOnlyHint: true },
  },
];
