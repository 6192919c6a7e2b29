// Binds the values of a call to the arguments object, as the host does at run time.
import type { Node } from "oxc-parser";
import type { JsonSchema } from "../../contracts/index.js";
import { acceptsType, listFields, type SchemaField } from "../../schema/index.js";
import type { Syntax } from "../typescript/read-syntax.js";
import type { ToolCall } from "./find-tool-uses.js";
import type { KnownValue, Place } from "./known-value.js";
import { readLiteral } from "./read-literal.js";

export interface BoundValues {
  /** The arguments as far as they are known; undefined if it is unclear how they are meant. */
  readonly value: KnownValue | undefined;
  /** The call has more values than the tool has parameters. */
  readonly excess?: { readonly node: Place; readonly max: number } | undefined;
}

const isObjectLike = ({ kind }: KnownValue): boolean => kind === "object" || kind === "open";

/** Whether a single object is the arguments object or the first argument. */
const isArguments = (value: KnownValue, fields: readonly SchemaField[], schema: JsonSchema): boolean => {
  if (value.kind !== "object") return false;
  const [first] = fields;
  if (first === undefined || value.fields.size === 0) return true;
  return fields.some(({ name }) => value.fields.has(name)) || !acceptsType(first.schema, schema, "object");
};

export const bindValues = (syntax: Syntax, { tool, values, node }: ToolCall): BoundValues => {
  const known = values.map((value) => readValues(syntax, value));
  return known.every((given) => given !== undefined)
    ? bindKnown({ schema: tool.inputSchema, known: known.flat(), node })
    : { value: undefined };
};

/** One value, or those of a spread list; undefined if their number is unknown. */
export const readValues = (syntax: Syntax, node: Node): readonly KnownValue[] | undefined => {
  if (node.type !== "SpreadElement") return [readLiteral(syntax, node)];
  const list = readLiteral(syntax, node.argument);
  return list.kind === "array" ? list.items.map((item) => ({ ...item, node })) : undefined;
};

export interface BindOptions {
  readonly schema: JsonSchema;
  /** The values in order. */
  readonly known: readonly KnownValue[];
  /** The call. */
  readonly node: Place;
}

/** Shared by both languages: the values are already read. */
export const bindKnown = ({ schema, known, node }: BindOptions): BoundValues => {
  const fields = listFields(schema);
  const [only] = known;
  if (only === undefined) return { value: { kind: "object", fields: new Map(), isOpen: false, node } };
  if (known.length === 1 && isArguments(only, fields, schema)) return { value: only };
  const [first] = fields;
  // An object with none of the tool's names is its first argument.
  if (known.length === 1 && only.kind === "object" && first !== undefined) {
    const held = new Map([[first.name, { key: only.node, value: only }]]);
    return { value: { kind: "object", fields: held, isOpen: false, node } };
  }
  // A single variable may hold the arguments object or the first argument.
  if (known.length === 1 && (isObjectLike(only) || only.kind === "absent")) return { value: undefined };
  const last = known.at(-1) ?? only;
  const beyond = known[fields.length];
  const mayBeLeftOut = (value: KnownValue): boolean =>
    value.kind === "absent" ||
    (value.kind === "primitive" && value.value === null) ||
    (value.kind === "choice" && value.options.some(mayBeLeftOut));
  if (beyond !== undefined && !isObjectLike(beyond) && !mayBeLeftOut(beyond))
    return { value: undefined, excess: { node: beyond.node, max: fields.length } };
  const entries = fields.flatMap(({ name }, index) => {
    const value = known[index];
    // An object at the end may hold named options, and null is an omitted argument.
    if (value === undefined || mayBeLeftOut(value) || (value === last && isObjectLike(value))) return [];
    return [[name, { key: value.node, value }] as const];
  });
  return { value: { kind: "object", fields: new Map(entries), isOpen: isObjectLike(last), node } };
};
