// A tool's record → the words of its fields; what a server wrote is cut to a sane length.
import type { JsonSchema } from "../contracts/index.js";
import type { FieldName } from "./ranking-weights.js";
import type { SearchableTool } from "./search-index.js";
import { splitWords } from "./split-words.js";

/** What a tool does is said at the beginning; manuals follow. */
const longestDescription = 2_000;
const longestParameterTexts = 1_000;
const longestName = 200;
const mostParameters = 100;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

interface ParameterTexts {
  readonly names: string[];
  readonly texts: string[];
}

const readParameters = (schema: unknown, depth: number, found: ParameterTexts): void => {
  if (!isRecord(schema) || !isRecord(schema.properties) || depth === 0) return;
  for (const [name, parameter] of Object.entries(schema.properties)) {
    if (found.names.length >= mostParameters) return;
    found.names.push(name.slice(0, longestName));
    if (!isRecord(parameter)) continue;
    found.texts.push(textOf(parameter.description));
    if (Array.isArray(parameter.enum)) {
      found.texts.push(...parameter.enum.slice(0, mostParameters).map(textOf));
    }
    readParameters(parameter, depth - 1, found);
    readParameters(parameter.items, depth - 1, found);
  }
};

const parametersOf = (schema: JsonSchema): ParameterTexts => {
  const found: ParameterTexts = { names: [], texts: [] };
  readParameters(schema, 2, found);
  return found;
};

const summaryEnd = (text: string): number => {
  const end = text.slice(8).search(/[.!?]\s|[。！？\n]/);
  return end < 0 ? text.length : end + 9;
};

/** The words of each field of a tool, in the order they stand. */
export const readToolWords = (tool: SearchableTool): Readonly<Record<FieldName, readonly string[]>> => {
  const description = tool.description.slice(0, longestDescription);
  const end = summaryEnd(description);
  const parameters = parametersOf(tool.inputSchema);
  return {
    name: splitWords(tool.name.slice(0, longestName)),
    server: splitWords(tool.server.slice(0, longestName)),
    summary: splitWords(`${(tool.title ?? "").slice(0, longestName)} ${description.slice(0, end)}`),
    details: splitWords(description.slice(end)),
    parameterNames: splitWords(parameters.names.join(" ")),
    parameterTexts: splitWords(parameters.texts.join(" ").slice(0, longestParameterTexts)),
  };
};
