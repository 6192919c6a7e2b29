// Reads object schemas: fields with their documentation, and other keys. Reports what has no type.
import type { JsonSchema } from "../../contracts/index.js";
import {
  hasDefault,
  isSchemaObject,
  listRequired,
  readProperties,
  type SchemaObject,
} from "../../schema/index.js";
import {
  type Definition,
  type Documentation,
  type Fallback,
  type Field,
  type TypeNode,
  toUnion,
  unknownNode,
} from "./type-node.js";

/** The state of reading one schema. */
export interface ReadContext {
  readonly root: JsonSchema;
  /** Arguments may leave out fields that have a default; results have what they declare. */
  readonly side: "arguments" | "result";
  readonly definitions: Map<string, Definition>;
  readonly fallbacks: Fallback[];
}

/** One schema within the root. */
export interface Place {
  readonly context: ReadContext;
  readonly schema: unknown;
  readonly path: string;
  readonly depth: number;
}

type ReadNode = (place: Place) => TypeNode;

const maxPath = 300;

/** Only the start of a path is shown, so longer paths are not built. */
export const joinPath = (path: string, name: string): string =>
  path.length > 2 * maxPath ? path : `${path}/${name.slice(0, maxPath)}`;

/** The place of a schema within this one. */
export const stepInto = (
  place: Place,
  schema: unknown,
  ...segments: readonly (string | number)[]
): Place => ({
  context: place.context,
  schema,
  path: joinPath(place.path, segments.join("/")),
  depth: place.depth + 1,
});

/** Reports a place without a type. */
export const fallBack = (
  { context, path }: Place,
  reason: string,
  node: TypeNode = unknownNode,
): TypeNode => {
  // Paths contain the server's text, and reports are printed.
  const shown = path.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "").slice(0, maxPath);
  context.fallbacks.push({ path: shown, reason });
  return node;
};

const maxValue = 120;
const noDocumentation: Documentation = { notes: [] };

const toText = (value: unknown): string | undefined => {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch {
    // Nested too deep to be worth showing.
  }
  return text === undefined || text.length > maxValue ? undefined : text;
};

const renderRange = (min: unknown, max: unknown): string | undefined => {
  const [hasMin, hasMax] = [typeof min === "number", typeof max === "number"];
  if (hasMin && min === max) return String(min);
  if (hasMin && hasMax) return `${min} to ${max}`;
  if (hasMin) return `at least ${min}`;
  return hasMax ? `at most ${max}` : undefined;
};

/** The description of a schema, and what a type cannot express. */
export const readDocumentation = (schema: unknown): Documentation => {
  if (!isSchemaObject(schema)) return noDocumentation;
  const { description, format, pattern } = schema;
  const range = renderRange(schema.minimum, schema.maximum);
  const items = renderRange(schema.minItems, schema.maxItems);
  const fallback = Object.hasOwn(schema, "default") ? toText(schema.default) : undefined;
  const notes = [
    typeof format === "string" && format.length <= maxValue ? `Format: ${format}` : undefined,
    typeof pattern === "string" && pattern.length <= maxValue ? `Pattern: ${pattern}` : undefined,
    range === undefined ? undefined : `Range: ${range}`,
    items === undefined ? undefined : `Items: ${items}`,
    fallback === undefined ? undefined : `Default: ${fallback}`,
    schema.deprecated === true ? "Deprecated" : undefined,
  ].filter((note) => note !== undefined);
  return { description: typeof description === "string" ? description : undefined, notes };
};

const statedDefault =
  /\bdefaults?\b(?: value)?(?: is| to)?\s?[:=]?\s?(?:(-?\d{1,9}(?:\.\d{1,4})?|true)\b(?!\.?\d)|["'`]([\w./-]{1,24})["'`])/i;

/** The default that a schema declares or its description states. Nothing, `false` and empty values need no word. */
const readDefault = (schema: unknown): Field["fallback"] => {
  if (!isSchemaObject(schema)) return undefined;
  const { default: declared, description } = schema;
  if (declared === true || (typeof declared === "number" && Number.isFinite(declared))) return declared;
  if (typeof declared === "string") return /^[\w.:/@+#-]{1,24}$/.test(declared) ? declared : undefined;
  if (declared !== undefined || typeof description !== "string") return undefined;
  const [, plain, quoted] = statedDefault.exec(description.slice(0, 1000)) ?? [];
  if (quoted !== undefined) return quoted;
  return plain === undefined ? undefined : plain.toLowerCase() === "true" ? true : Number(plain);
};

type ObjectPlace = Place & { readonly schema: SchemaObject };

/** Not nested: such a type can be printed twice without a short schema growing without bound. */
const isSimple = (node: TypeNode): boolean => {
  if (node.kind === "array") return isSimple(node.items);
  if (node.kind === "union") return node.members.every(isSimple);
  return node.kind !== "object" && node.kind !== "tuple" && node.kind !== "intersection";
};

const readFields = (place: ObjectPlace, readNode: ReadNode): readonly Field[] => {
  const { context, schema } = place;
  const properties = readProperties(schema);
  const required = new Set(listRequired(schema));
  const fields = Object.entries(properties).map(([name, field]): Field => {
    const canBeLeftOut = context.side === "arguments" && hasDefault(field);
    return {
      name,
      type: readNode(stepInto(place, field, "properties", name)),
      isRequired: required.has(name) && !canBeLeftOut,
      documentation: readDocumentation(field),
      fallback: context.side === "arguments" ? readDefault(field) : undefined,
    };
  });
  const undeclared = [...required].filter((name) => !Object.hasOwn(properties, name));
  const added = undeclared.map((name): Field => {
    const at = stepInto(place, undefined, "required", name);
    return {
      name,
      type: fallBack(at, "required but not declared"),
      isRequired: true,
      documentation: noDocumentation,
    };
  });
  return [...fields, ...added];
};

const readRest = (place: ObjectPlace, readNode: ReadNode): TypeNode | undefined => {
  const { additionalProperties: others, patternProperties: patterns } = place.schema;
  const typed = isSchemaObject(patterns)
    ? Object.entries(patterns).map(([pattern, schema]) =>
        readNode(stepInto(place, schema, "patternProperties", pattern)),
      )
    : [];
  if (others === true || (isSchemaObject(others) && Object.keys(others).length === 0)) return unknownNode;
  if (isSchemaObject(others)) typed.push(readNode(stepInto(place, others, "additionalProperties")));
  return typed.length === 0 ? undefined : toUnion(typed);
};

/** The type of an object schema. */
export const readObject = (place: ObjectPlace, readNode: ReadNode): TypeNode => {
  const fields = readFields(place, readNode);
  const rest = readRest(place, readNode);
  if (fields.length === 0) {
    // Without fields `{ "type": "object" }` means any object, except as the arguments of a tool that takes none.
    const takesNone =
      place.depth === 0 && place.context.side === "arguments" && isSchemaObject(place.schema.properties);
    const isEmpty = place.schema.additionalProperties === false || takesNone;
    return {
      kind: "object",
      fields,
      rest: isEmpty ? rest : (rest ?? unknownNode),
    };
  }
  if (rest === undefined) return { kind: "object", fields };
  if (rest.kind === "unknown" || (isSimple(rest) && fields.every(({ type }) => isSimple(type)))) {
    return { kind: "object", fields, rest };
  }
  const at = stepInto(place, undefined, "additionalProperties");
  return { kind: "object", fields, rest: fallBack(at, "other keys cannot be typed next to nested fields") };
};
