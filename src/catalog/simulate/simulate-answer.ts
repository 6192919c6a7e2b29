// An answer that a tool could have given, made up from its types: programs can be tried without any server.
import type { Json, JsonObject, Shape, Tool, ToolResult } from "../../contracts/index.js";
import { findProblems } from "../../schema/index.js";
import { shapeToSchema } from "../shapes/shape-to-schema.js";
import { makeValue } from "./make-value.js";
import { openRandomSource } from "./random-source.js";

interface SimulateOptions {
  readonly tool: Tool;
  /** What was learned of its answers, where none are declared. */
  readonly shape?: Shape;
  readonly arguments: JsonObject;
  /** Another seed gives other answers; the same seed and arguments the same. */
  readonly seed?: string;
}

/** In a result's `_meta` when it was made up. */
export const simulatedMark = "mcp-coordinator/simulated";

const mostValues = 400;
const mostTries = 8;

const toCanonical = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(toCanonical);
  if (typeof value !== "object" || value === null) return value;
  const sorted = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0));
  return Object.fromEntries(sorted.map(([key, inner]) => [key, toCanonical(inner)]));
};

/** The same call is answered the same way. */
export const simulateAnswer = ({ tool, shape, arguments: given, seed = "" }: SimulateOptions): ToolResult => {
  const schema = tool.outputSchema ?? tool.learned?.schema ?? (shape && shapeToSchema(shape));
  const _meta = { [simulatedMark]: true };
  if (schema === undefined) {
    const text = `Simulated answer of "${tool.server}.${tool.name}": nothing is known of its results`;
    return { content: [{ type: "text", text }], _meta };
  }
  const base = JSON.stringify([seed, tool.server, tool.name, tool.fingerprint, toCanonical(given)]);
  let value: Json = null;
  for (let attempt = 0; attempt < mostTries; attempt += 1) {
    const random = openRandomSource(`${base}${attempt}`);
    value = makeValue(schema, { root: schema, random, budget: { left: mostValues } });
    if (findProblems(schema, value).length === 0) break;
  }
  const text = typeof value === "string" ? value : JSON.stringify(value);
  // Structured content is an object in every version of the protocol; other values are JSON in a text.
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return { content: [{ type: "text", text }], ...(isObject ? { structuredContent: value } : {}), _meta };
};
