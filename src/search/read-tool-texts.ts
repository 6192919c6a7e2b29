// A tool's record → the texts of its fields; what a server wrote is cut to a sane length.
import type { JsonSchema } from "../contracts/index.js";
import type { FieldName } from "./ranking-weights.js";
import type { SearchableTool } from "./search-index.js";

/** What a tool does is said at the beginning; manuals follow. */
const longestDescription = 2_000;
const longestParameterTexts = 1_000;
/** No honest name is longer. */
const longestName = 200;
const mostParameters = 100;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

interface ParameterTexts {
  readonly names: string[];
  readonly texts: string[];
  /** Characters that may still be added to the texts. */
  room: number;
}

const addText = (found: ParameterTexts, value: unknown): void => {
  if (typeof value !== "string" || found.room <= 0) return;
  found.texts.push(value.slice(0, found.room));
  found.room -= value.length;
};

const readParameters = (schema: unknown, depth: number, found: ParameterTexts): void => {
  if (!isRecord(schema) || !isRecord(schema.properties) || depth === 0) return;
  for (const [name, parameter] of Object.entries(schema.properties)) {
    if (found.names.length >= mostParameters) return;
    found.names.push(name.slice(0, longestName));
    if (!isRecord(parameter)) continue;
    addText(found, parameter.description);
    if (Array.isArray(parameter.enum)) for (const value of parameter.enum) addText(found, value);
    readParameters(parameter, depth - 1, found);
    readParameters(parameter.items, depth - 1, found);
  }
};

const parametersOf = (schema: JsonSchema): ParameterTexts => {
  const found: ParameterTexts = { names: [], texts: [], room: longestParameterTexts };
  readParameters(schema, 2, found);
  return found;
};

const summaryEnd = (text: string): number => {
  const end = text.slice(8).search(/[.!?]\s|[。！？\n]/);
  return end < 0 ? text.length : end + 9;
};

/** The texts of each field of a tool, in the order they stand. */
export const readToolTexts = (
  tool: SearchableTool,
  serverDescription = "",
): Readonly<Record<FieldName, readonly string[]>> => {
  const description = tool.description.slice(0, longestDescription);
  const end = summaryEnd(description);
  const parameters = parametersOf(tool.inputSchema);
  return {
    name: [tool.name.slice(0, longestName)],
    server: [tool.server.slice(0, longestName)],
    summary: [(tool.title ?? "").slice(0, longestName), description.slice(0, end)],
    details: [description.slice(end)],
    parameterNames: parameters.names,
    parameterTexts: parameters.texts,
    serverTexts: serverDescription === "" ? [] : [serverDescription.slice(0, longestDescription)],
  };
};
