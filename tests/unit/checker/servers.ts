// Servers for the checker's tests, and a function that checks a program against them.
import { toServerCatalog } from "../../../src/catalog/index.js";
import type { CheckedServer, CheckRequest } from "../../../src/checker/check.js";
import { prepareProgram } from "../../../src/checker/index.js";
import {
  assignFunctionNames,
  renderPythonSignature,
  renderServerDeclarations,
  renderSignature,
} from "../../../src/codegen/index.js";
import type { JsonSchema, ListedTool } from "../../../src/contracts/index.js";
import { nearestNames } from "../../../src/schema/index.js";

/** Title, program, code, position, and words that the message must contain. */
export type Mistake = readonly [
  title: string,
  program: string,
  code: string,
  place: string,
  words: readonly string[],
];

const object = (properties: Record<string, JsonSchema>, required: readonly string[] = []): JsonSchema => ({
  type: "object",
  properties,
  required,
});
const text: JsonSchema = { type: "string" };
const number: JsonSchema = { type: "integer" };
const texts: JsonSchema = { type: "array", items: text };

/** An answer without undeclared fields. */
const closed = (properties: Record<string, JsonSchema>, required: readonly string[] = []): JsonSchema => ({
  ...(object(properties, required) as object),
  additionalProperties: false,
});

const issue = closed(
  {
    number,
    title: text,
    state: { enum: ["open", "closed"] },
    labels: { type: "array", items: closed({ name: text, color: text }, ["name"]) },
    user: closed({ login: text, id: number }, ["login", "id"]),
    body: { type: ["string", "null"] },
    url: text,
  },
  ["number", "title", "state", "labels", "user"],
);

const github: readonly ListedTool[] = [
  {
    name: "create_issue",
    inputSchema: object(
      {
        owner: text,
        repo: text,
        title: text,
        body: text,
        labels: texts,
        priority: { enum: ["low", "high"] },
        assignee: object({ login: text, notify: { type: "boolean" } }, ["login"]),
      },
      ["owner", "repo", "title"],
    ),
    outputSchema: issue,
  },
  {
    name: "list_issues",
    inputSchema: object(
      {
        owner: text,
        repo: text,
        state: { type: "string", enum: ["open", "closed", "all"] },
        since: text,
        page: number,
        limit: number,
      },
      ["owner", "repo"],
    ),
    outputSchema: closed({ items: { type: "array", items: issue }, total: number, next: text }, [
      "items",
      "total",
    ]),
    annotations: { readOnlyHint: true },
  },
  {
    name: "get_status",
    inputSchema: object({}),
    outputSchema: {
      anyOf: [
        closed({ ok: { const: true }, data: closed({ uptime: number }) }, ["ok", "data"]),
        closed({ ok: { const: false }, error: text }, ["ok", "error"]),
      ],
    },
    annotations: { readOnlyHint: true },
  },
  { name: "search-code", inputSchema: object({ query: text, language: text }, ["query"]) },
];

const files: readonly ListedTool[] = [
  {
    name: "read_file",
    inputSchema: object({ path: text, encoding: text }, ["path"]),
    annotations: { readOnlyHint: true },
  },
  { name: "write_file", inputSchema: object({ path: text, content: text }, ["path", "content"]) },
  {
    name: "list_directory",
    inputSchema: object({ path: text }, ["path"]),
    annotations: { readOnlyHint: true },
  },
];

const database: readonly ListedTool[] = [
  {
    name: "query",
    inputSchema: object(
      { sql: text, params: { type: "array", items: {} }, limit: { type: "integer", default: 100 } },
      ["sql", "limit"],
    ),
  },
  { name: "insert", inputSchema: object({ table: text, row: { type: "object" } }, ["table", "row"]) },
  { name: "settings", inputSchema: { type: "object", additionalProperties: true } },
];

const toServer = (server: string, identifier: string, tools: readonly ListedTool[]): CheckedServer => {
  const catalog = toServerCatalog(
    { server, tools, resources: [], resourceTemplates: [], prompts: [] },
    identifier,
  );
  return { catalog, source: renderServerDeclarations({ catalog }).source, fingerprint: server };
};

export const servers: readonly CheckedServer[] = [
  toServer("github", "github", github),
  toServer("my-files", "myFiles", files),
  toServer("db", "db", database),
];

/** `offline` is configured, but its tools are not known. */
const identifiers = new Map([
  ["github", "github"],
  ["my-files", "myFiles"],
  ["db", "db"],
  ["offline", "offline"],
]);

export const toRequest = async (
  program: string,
  options: Partial<CheckRequest> = {},
): Promise<CheckRequest> => ({
  text: program,
  imported: (
    await prepareProgram(program, { language: "typescript", isSession: options.isSession ?? false })
  ).imports.map(({ specifier }) => specifier),
  isSession: false,
  servers,
  identifiers,
  nearestNames,
  renderSignature,
  ...options,
});

/** The same servers, as a Python program sees them. */
export const toPythonRequest = async (
  program: string,
  options: Partial<CheckRequest> = {},
): Promise<CheckRequest> => ({
  ...(await toRequest("")),
  language: "python",
  text: program,
  imported: (
    await prepareProgram(program, { language: "python", isSession: options.isSession ?? false })
  ).imports.map(({ specifier }) => specifier),
  servers: servers.map((server) => ({ ...server, functionNames: assignFunctionNames(server.catalog) })),
  renderSignature: ({ tool, identifier, functionName = tool.functionName }) =>
    renderPythonSignature({ tool, name: `${identifier}.${functionName}`, maxLength: 200 }),
  ...options,
});
