// A small server for the tests of certain failures, and the skills that programs import.
import { toServerCatalog } from "../../../src/catalog/index.js";
import type { CheckedServer, CheckRequest } from "../../../src/checker/check.js";
import { assignFunctionNames, renderServerDeclarations } from "../../../src/codegen/index.js";
import type { JsonSchema, ListedTool } from "../../../src/contracts/index.js";

const closed = (properties: Record<string, JsonSchema>, required: readonly string[] = []): JsonSchema => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});
const open = (properties: Record<string, JsonSchema>): JsonSchema => ({ type: "object", properties });
const text: JsonSchema = { type: "string" };

const tools: readonly ListedTool[] = [
  {
    name: "create_issue",
    inputSchema: closed({ title: text, state: { enum: ["open", "closed"] } }, ["title"]),
  },
  { name: "ping_all", inputSchema: closed({}) },
  { name: "ping_some", inputSchema: open({}) },
  {
    name: "get_issue",
    inputSchema: closed({ id: { type: "integer" } }, ["id"]),
    outputSchema: open({ title: text, labels: { type: "array", items: open({ name: text }) } }),
  },
  {
    name: "get_closed",
    inputSchema: closed({ id: { type: "integer" } }, ["id"]),
    outputSchema: closed({ title: text, user: closed({ login: text }) }),
  },
];

const catalog = toServerCatalog(
  { server: "shop", tools, resources: [], resourceTemplates: [], prompts: [] },
  "shop",
);

const shop: CheckedServer = {
  catalog,
  source: renderServerDeclarations({ catalog }).source,
  fingerprint: "shop",
};

const identifiers = new Map([
  ["shop", "shop"],
  ["offline", "offline"],
]);

const skill = `export const dbBackup = async ({ key, limit }: { key: string; limit?: number }) => key;
export async function copy(from: string, to = "b") { return from + to; }
export const loose = ({ a, b }) => a ?? b;
export const many = (...keys: string[]) => keys;
export default (words: string[]) => words;
`;

const pythonSkill = `def db_backup(key: str, limit: int = 5):
    return key

def many(*keys, **others):
    return keys

@cached
def decorated(a):
    return a
`;

export const shopOptions: Partial<CheckRequest> = {
  servers: [shop],
  identifiers,
  adapters: [{ path: "skills/db-backup/index", text: skill, names: ["skills/db-backup"] }],
};

export const pythonShopOptions: Partial<CheckRequest> = {
  servers: [{ ...shop, functionNames: assignFunctionNames(catalog) }],
  identifiers,
  adapterNames: new Map([["\u0000skills", ["db_backup"]]]),
  adapters: [{ path: "skills/db_backup/__init__.py", text: pythonSkill }],
};
