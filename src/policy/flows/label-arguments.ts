// Labels the arguments of a call: each value gets the most precise labels that can be proven, otherwise those of everything the run has read.
import { type Json, type JsonObject, type JsonSchema, readLargeInteger } from "../../contracts/index.js";
import { isSchemaObject, listFields, readLiterals, resolveSchema } from "../../schema/index.js";
import { joinLabels, type Labels, noLabels, readScalar } from "./labels.js";
import { startsWithPath } from "./open-flows.js";

export interface LeafFacts {
  readonly context: Labels;
  readonly run: Labels;
  /** The argument is a literal at every place of the program that can make this call. */
  readonly isLiteral: (argument: string) => boolean;
  /** The labels of answers that have this text, or the number with these digits. */
  readonly findText: (text: string) => Labels | undefined;
  /** A text with tokens: their labels, and whether it is one token and nothing else. */
  readonly findToken: (text: string) => { readonly labels: Labels; readonly isWhole: boolean } | undefined;
  /** The labels of a stored value that replaced a handle. */
  readonly findStored: (value: Json) => Labels | undefined;
  readonly schema: ArgumentFacts;
}

/** What a tool declares about its arguments. */
export interface ArgumentFacts {
  /** Argument → the few values that it can have. */
  readonly choices: ReadonlyMap<string, ReadonlySet<Json>>;
  /** Every name in the schema. */
  readonly names: ReadonlySet<string>;
}

export interface LabelledArguments {
  readonly total: Labels;
  readonly parts: readonly (Labels | undefined)[];
}

/** A list of flags can encode any text, so only a few of them count as harmless. */
const maxFlags = 8;
const maxChoices = 32;
const maxParts = 5000;
const maxLeaves = 20_000;

/** `paths`: the arguments whose labels are wanted on their own. */
export const labelArguments = (
  value: JsonObject,
  facts: LeafFacts,
  paths: readonly (readonly string[])[],
): LabelledArguments => {
  const { context, run, schema } = facts;
  let total = noLabels;
  let flags = 0;
  let leaves = 0;
  const parts: (Labels | undefined)[] = paths.map(() => undefined);
  const path: string[] = [];
  const add = (labels: Labels): void => {
    total = joinLabels(total, labels);
    for (const [at, wanted] of paths.entries())
      if (startsWithPath(path, wanted)) parts[at] = joinLabels(parts[at] ?? noLabels, labels);
  };
  const addFlag = (isInList: boolean): void => add(!isInList && ++flags <= maxFlags ? noLabels : run);

  const labelText = (text: string, isInList: boolean): Labels => {
    const token = facts.findToken(text);
    if (token?.isWhole === true) return token.labels;
    if (token !== undefined) return joinLabels(run, token.labels);
    const stored = facts.findStored(text);
    if (stored !== undefined) return stored;
    const isChoice = path.length === 1 && !isInList && schema.choices.get(path[0] ?? "")?.has(text) === true;
    if (isChoice && ++flags <= maxFlags) return noLabels;
    return facts.findText(text) ?? run;
  };
  const visit = (item: Json, isInList: boolean): void => {
    const stored = facts.findStored(item);
    // Larger arguments are not followed further.
    if (++leaves > maxLeaves) add(run);
    else if (typeof item === "string") add(labelText(item, isInList));
    else if (typeof item === "boolean" || item === null) addFlag(isInList);
    else if (typeof item === "number" || readLargeInteger(item) !== undefined)
      add(facts.findText(readScalar(item) ?? "") ?? run);
    else if (stored !== undefined) add(stored);
    else visitParts(item, isInList);
  };
  const visitParts = (item: JsonObject | readonly Json[], isInList: boolean): void => {
    const isList = Array.isArray(item);
    const entries = Object.entries(item as JsonObject);
    if (entries.length === 0) addFlag(isInList);
    for (const [name, one] of entries) {
      if (isList) visit(one, true);
      else visitField(name, one, isInList);
      if (leaves > maxLeaves) return;
    }
  };
  /** Names that the tool does not declare are data, too. */
  const visitField = (name: string, item: Json, isInList: boolean): void => {
    path.push(name);
    if (!schema.names.has(name)) add(facts.findText(name) ?? run);
    if (path.length === 1 && facts.isLiteral(name)) add(context);
    else visit(item, isInList);
    path.pop();
  };
  const stored = facts.findStored(value);
  if (stored !== undefined) return { total: stored, parts: paths.map(() => stored) };
  for (const [name, item] of Object.entries(value)) visitField(name, item, false);
  // Values that were not examined may contain anything.
  if (leaves > maxLeaves) return { total: run, parts: paths.map(() => run) };
  return { total, parts };
};

const known = new WeakMap<object, ArgumentFacts>();
const noFacts: ArgumentFacts = { choices: new Map(), names: new Set() };

export const readArgumentFacts = (schema: JsonSchema | undefined): ArgumentFacts => {
  if (typeof schema !== "object") return noFacts;
  const before = known.get(schema);
  if (before !== undefined) return before;
  const choices = new Map<string, ReadonlySet<Json>>();
  const fields = listFields(schema);
  for (const field of fields) {
    const resolved = resolveSchema(field.schema, schema);
    const literals = isSchemaObject(resolved) ? readLiterals(resolved) : undefined;
    if (literals !== undefined && literals.length <= maxChoices)
      choices.set(field.name, new Set<Json>(literals as readonly Json[]));
  }
  const facts = { choices, names: new Set([...fields.map(({ name }) => name), ...listNames(schema)]) };
  known.set(schema, facts);
  return facts;
};

/** The names of all properties in a schema, at any depth. */
export const listNames = (schema: object): readonly string[] => {
  const names = new Set<string>();
  const waiting: object[] = [schema];
  for (let at = 0; at < waiting.length && at < maxParts; at++)
    for (const [key, part] of Object.entries(waiting[at] ?? {})) {
      if (typeof part !== "object" || part === null) continue;
      if (key === "properties") for (const name of Object.keys(part)) names.add(name);
      waiting.push(part);
    }
  return [...names];
};
