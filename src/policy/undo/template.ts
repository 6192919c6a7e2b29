// Templates of inverse calls: JSON in which `$answer.number`, `$arguments.id` and `$before.text` refer to values of the call. Inserted values
// are never interpreted as templates.
import { type Json, type JsonObject, readLargeInteger } from "../../contracts/index.js";
import { nearestNames } from "../../schema/index.js";

export const templateSources = ["answer", "arguments", "before"] as const;

export type TemplateSource = (typeof templateSources)[number];

export interface Reference {
  readonly source: TemplateSource;
  readonly path: readonly string[];
  /** As it was written. */
  readonly text: string;
  /** The field is left out if there is no value. */
  readonly isOptional: boolean;
}

export type Template =
  | { readonly kind: "value"; readonly value: Json }
  | { readonly kind: "reference"; readonly reference: Reference }
  | { readonly kind: "list"; readonly items: readonly Template[] }
  | { readonly kind: "object"; readonly fields: readonly (readonly [name: string, value: Template])[] };

export type TemplateValues = Readonly<Partial<Record<TemplateSource, Json | undefined>>>;

/** A template that cannot be parsed, or a missing value. */
export class TemplateError extends Error {}

const maxDepth = 20;

/** Throws TemplateError. */
export const parseTemplate = (value: Json, sources: readonly TemplateSource[], depth = 0): Template => {
  if (depth > maxDepth) throw new TemplateError(`has more than ${maxDepth} levels`);
  if (typeof value === "string" && value.startsWith("$")) return readText(value, sources);
  if (typeof value !== "object" || value === null || readLargeInteger(value) !== undefined)
    return { kind: "value", value };
  if (Array.isArray(value))
    return { kind: "list", items: value.map((item: Json) => parseTemplate(item, sources, depth + 1)) };
  return {
    kind: "object",
    fields: Object.entries(value as JsonObject).map(([name, field]) => [
      name,
      parseTemplate(field, sources, depth + 1),
    ]),
  };
};

const reference = /^\$([A-Za-z]+)((?:\.[^.\s?]+)*)(\?)?$/;

/** `$$text` is the text `$text`. */
const readText = (text: string, sources: readonly TemplateSource[]): Template => {
  if (text.startsWith("$$")) return { kind: "value", value: text.slice(1) };
  const [, name = "", path = "", mark] = text.length > 500 ? [] : (reference.exec(text) ?? []);
  const source = sources.find((known) => known === name);
  const wanted = sources.map((known) => `$${known}`).join(", ");
  if (source === undefined) {
    const [near] = nearestNames(name, [...sources], 1);
    const hint = near === undefined ? `expected ${wanted}` : `did you mean "$${near}"?`;
    throw new TemplateError(
      `${JSON.stringify(text.slice(0, 80))} names no value, ${hint} A text that begins with $ is written with $$`,
    );
  }
  const parts = path === "" ? [] : path.slice(1).split(".");
  return { kind: "reference", reference: { source, path: parts, text, isOptional: mark !== undefined } };
};

export const listReferences = (template: Template): readonly Reference[] => {
  switch (template.kind) {
    case "value":
      return [];
    case "reference":
      return [template.reference];
    case "list":
      return template.items.flatMap(listReferences);
    case "object":
      return template.fields.flatMap(([, field]) => listReferences(field));
  }
};

/** Only own fields count: an answer cannot name what every object inherits. */
const readPath = (value: Json | undefined, path: readonly string[]): Json | undefined => {
  let at: Json | undefined = value;
  for (const key of path) {
    if (typeof at !== "object" || at === null || readLargeInteger(at) !== undefined) return undefined;
    if (!Object.hasOwn(at, key) || (Array.isArray(at) && !/^\d+$/.test(key))) return undefined;
    at = (at as JsonObject)[key];
  }
  return at;
};

/** Throws TemplateError for a missing value. */
export const fillTemplate = (template: Template, values: TemplateValues): Json => {
  const filled = fill(template, values);
  if (filled === undefined) throw new TemplateError("there is no value");
  return filled;
};

const fill = (template: Template, values: TemplateValues): Json | undefined => {
  switch (template.kind) {
    case "value":
      return template.value;
    case "reference": {
      const { source, path, text, isOptional } = template.reference;
      const found = readPath(values[source], path);
      if (found === undefined && !isOptional) throw new TemplateError(`there is no ${text}`);
      return found;
    }
    case "list":
      return template.items.map((item) => fill(item, values)).filter((item) => item !== undefined);
    case "object": {
      const fields = template.fields.map(([name, field]) => [name, fill(field, values)] as const);
      return Object.fromEntries(fields.filter(([, field]) => field !== undefined)) as JsonObject;
    }
  }
};
