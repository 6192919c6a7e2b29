// Reads the texts of tools, bounded in length, and turns them into term numbers per field.
import type { JsonSchema, Steps, Tool } from "../contracts/index.js";
import { listFields, listParts, readList } from "../schema/index.js";
import type { FieldName } from "./ranking-weights.js";
import { splitWords, type Vocabulary } from "./vocabulary.js";

/** What search reads of a tool. */
export type SearchableTool = Pick<Tool, "server" | "name" | "title" | "description" | "inputSchema">;

/** Server → the user's description of it. */
export type ServerDescriptions = ReadonlyMap<string, string>;

export type FieldTerms = Readonly<Record<FieldName, readonly number[]>>;

/** Longer texts rarely repeat. */
const maxCached = 200;

/** Reads every tool. The vocabulary learns their words. */
export function* readTerms(
  tools: readonly SearchableTool[],
  vocabulary: Vocabulary,
  serverDescriptions: ServerDescriptions,
): Steps<readonly FieldTerms[]> {
  // The tools of a server repeat its name and their parameters.
  const cached = new Map<string, readonly number[]>();

  const learnText = (text: string): readonly number[] => {
    const known = cached.get(text);
    if (known !== undefined) return known;
    const terms: number[] = [];
    for (const word of splitWords(text)) {
      const term = vocabulary.learn(word);
      if (term !== undefined) terms.push(term);
    }
    if (text.length <= maxCached) cached.set(text, terms);
    return terms;
  };

  const learnTexts = (texts: readonly string[]): readonly number[] => {
    const all: number[] = [];
    for (const text of texts) for (const term of learnText(text)) all.push(term);
    return all;
  };

  const read: FieldTerms[] = [];
  for (const tool of tools) {
    const texts = readToolTexts(tool, serverDescriptions.get(tool.server));
    read.push({
      name: learnTexts(texts.name),
      server: learnTexts(texts.server),
      summary: learnTexts(texts.summary),
      details: learnTexts(texts.details),
      parameterNames: learnTexts(texts.parameterNames),
      parameterTexts: learnTexts(texts.parameterTexts),
      serverTexts: learnTexts(texts.serverTexts),
    });
    yield;
  }
  return read;
}

/** Descriptions say first what a tool does; the rest is often a manual. */
const maxDescription = 2_000;
const maxParameterTexts = 1_000;
const maxName = 200;
const maxParameters = 100;
/** References can expand a short schema to any number of parts. */
const maxParts = 8;

interface ParameterTexts {
  readonly names: string[];
  readonly texts: string[];
  /** Characters that may still be added. */
  left: number;
}

const addText = (found: ParameterTexts, value: unknown): void => {
  if (typeof value !== "string" || found.left <= 0) return;
  found.texts.push(value.slice(0, found.left));
  found.left -= value.length;
};

const readParameters = (root: JsonSchema, schema: unknown, depth: number, found: ParameterTexts): void => {
  if (depth === 0) return;
  for (const { name, schema: parameter } of listFields(schema, root)) {
    if (found.names.length >= maxParameters) return;
    found.names.push(name.slice(0, maxName));
    const parts = listParts(parameter, root).slice(0, maxParts);
    for (const part of parts) {
      addText(found, part.description);
      for (const value of readList(part.enum)) addText(found, value);
    }
    readParameters(root, parameter, depth - 1, found);
    for (const { items } of parts) readParameters(root, items, depth - 1, found);
  }
};

const parametersOf = (schema: JsonSchema): ParameterTexts => {
  const found: ParameterTexts = { names: [], texts: [], left: maxParameterTexts };
  readParameters(schema, schema, 2, found);
  return found;
};

const summaryEnd = (text: string): number => {
  const end = text.slice(8).search(/[.!?]\s|[。！？\n]/);
  return end < 0 ? text.length : end + 9;
};

/** The texts of each field of a tool, in order. */
export const readToolTexts = (
  tool: SearchableTool,
  serverDescription = "",
): Readonly<Record<FieldName, readonly string[]>> => {
  const description = tool.description.slice(0, maxDescription);
  const end = summaryEnd(description);
  const parameters = parametersOf(tool.inputSchema);
  return {
    name: [tool.name.slice(0, maxName)],
    server: [tool.server.slice(0, maxName)],
    summary: [(tool.title ?? "").slice(0, maxName), description.slice(0, end)],
    details: [description.slice(end)],
    parameterNames: parameters.names,
    parameterTexts: parameters.texts,
    serverTexts: serverDescription === "" ? [] : [serverDescription.slice(0, maxDescription)],
  };
};
