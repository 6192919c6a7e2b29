// A simulated answer that fits a tool's result type, so that programs can be tried without any server.
import type { Json, JsonObject, Shape, Tool, ToolResult } from "../../contracts/index.js";
import { findProblems } from "../../schema/index.js";
import { shapeToSchema } from "../shapes/shape-to-schema.js";
import { toCanonicalJson } from "../to-server-catalog.js";
import { makeValue } from "./make-value.js";
import { openRandomSource } from "./random-source.js";

interface SimulateOptions {
  readonly tool: Tool;
  /** The learned shape, if the tool declares no output. */
  readonly shape?: Shape | undefined;
  readonly arguments: JsonObject;
  /** The same seed and arguments give the same answer. */
  readonly seed?: string | undefined;
}

/** Marks a simulated result, in its `_meta`. */
export const simulatedMark = "mcp-coordinator/simulated";

const maxValues = 400;
const maxTries = 8;

/** The same call gets the same answer. */
export const simulateAnswer = ({ tool, shape, arguments: given, seed = "" }: SimulateOptions): ToolResult => {
  const schema = tool.outputSchema ?? tool.learned?.schema ?? (shape && shapeToSchema(shape));
  const _meta = { [simulatedMark]: true };
  if (schema === undefined) {
    const text = `Simulated answer of "${tool.server}.${tool.name}": nothing is known about its results`;
    return { content: [{ type: "text", text }], _meta };
  }
  const base = toCanonicalJson([seed, tool.server, tool.name, tool.fingerprint, given]);
  let value: Json = null;
  for (let attempt = 0; attempt < maxTries; attempt += 1) {
    const random = openRandomSource(`${base}${attempt}`);
    value = makeValue(schema, { root: schema, random, budget: { left: maxValues } });
    if (findProblems(schema, value).length === 0) break;
  }
  const text = typeof value === "string" ? value : JSON.stringify(value);
  // Structured content is an object in every version of the protocol; other values are JSON in a text.
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return { content: [{ type: "text", text }], ...(isObject ? { structuredContent: value } : {}), _meta };
};
