// Listings and tools for the catalog's tests, as a server would write them.
import { toServerCatalog } from "../../../src/catalog/index.js";
import type { JsonSchema, ListedTool, Listing, Tool } from "../../../src/contracts/index.js";

export const toListing = (tools: readonly ListedTool[]): Listing => ({
  server: "shop",
  tools,
  resources: [],
  resourceTemplates: [],
  prompts: [],
});

export const toNamedTools = (names: readonly string[]): readonly ListedTool[] =>
  names.map((name) => ({ name, inputSchema: { type: "object" } }));

/** One tool, `shop.place_order`, with this schema. */
export const toTool = (inputSchema: JsonSchema): Tool => {
  const [tool] = toServerCatalog(toListing([{ name: "place_order", inputSchema }]), "shop").tools;
  if (tool === undefined) throw new Error("The catalog is empty");
  return tool;
};

/** The properties of an object schema, and those of them that are required. */
export const toObjectSchema = (
  properties: Readonly<Record<string, JsonSchema>>,
  ...required: readonly string[]
): JsonSchema => ({ type: "object", properties, required });
