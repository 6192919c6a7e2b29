// Binds the values of a Python call to the arguments object, as the guest and the host do at run time.
import type { JsonSchema } from "../../contracts/index.js";
import { acceptsType, listFields } from "../../schema/index.js";
import { type BoundValues, bindKnown } from "../rules/bind-values.js";
import type { KnownValue } from "../rules/known-value.js";
import type { Call, Expression } from "./syntax/node.js";
import { type LiteralOptions, readLiteral } from "./read-literal.js";

type KnownObject = Extract<KnownValue, { kind: "object" }>;

const keywords = new Set(
  `False None True and as assert async await break class continue def del elif else except finally for from global if
  import in is lambda nonlocal not or pass raise return try while with yield`.split(/\s+/),
);

/** `from_` is Python's spelling of `from`. */
const toField = (name: string): string =>
  name.endsWith("_") && keywords.has(name.slice(0, -1)) ? name.slice(0, -1) : name;

/** A call whose arguments are bound like those of a tool. */
export interface BoundCall {
  readonly schema: JsonSchema;
  readonly node: Call;
  /** Those of its values that belong to the tool. */
  readonly values: readonly Expression[];
}

const readNamed = (options: LiteralOptions, { node }: Pick<BoundCall, "node">): KnownObject => {
  const fields = new Map<string, { key: { start: number; end: number }; value: KnownValue }>();
  let isOpen = false;
  for (const { name, value, start, end } of node.named) {
    const known = readLiteral(options, value);
    if (name !== undefined) fields.set(toField(name), { key: { start, end }, value: known });
    else if (known.kind === "object") {
      isOpen ||= known.isOpen;
      for (const [key, field] of known.fields) fields.set(key, { ...field, key: value });
    } else isOpen = true;
  }
  return { kind: "object", fields, isOpen, node };
};

const merge = (one: KnownObject, other: KnownObject): KnownObject => ({
  ...one,
  fields: new Map([...one.fields, ...other.fields]),
  isOpen: one.isOpen || other.isOpen,
  node: other.node,
});

/** One value, or those of a starred list; undefined if their number is unknown. */
const readValues = (options: LiteralOptions, node: Expression): readonly KnownValue[] | undefined => {
  if (node.kind !== "starred") return [readLiteral(options, node)];
  const list = readLiteral(options, node.value);
  return list.kind === "array" ? list.items.map((item) => ({ ...item, node })) : undefined;
};

/** Keyword arguments are the fields of one object. After positional values they are options, unless an object is expected. */
export const bindCall = (options: LiteralOptions, call: BoundCall): BoundValues => {
  const { schema, values, node } = call;
  const read = values.map((value) => readValues(options, value));
  if (!read.every((given) => given !== undefined)) return { value: undefined };
  const known = read.flat();
  if (node.named.length === 0) return bindKnown({ schema, known, node });
  const named = readNamed(options, call);
  const [first, ...others] = known;
  if (first === undefined) return bindKnown({ schema, known: [named], node });
  if (others.length === 0 && first.kind === "object")
    return bindKnown({ schema, known: [merge(first, named)], node });
  const fields = listFields(schema);
  const next = fields[known.length];
  if (next === undefined) {
    const [given] = named.fields.values();
    const isCertain = !known.some(({ kind }) => kind === "open") && given !== undefined;
    return isCertain
      ? { value: undefined, excess: { node: given.key, max: fields.length } }
      : { value: undefined };
  }
  // There the keyword arguments may be the object itself.
  if (acceptsType(next.schema, schema, "object")) return { value: undefined };
  // A single value may be a dictionary that the keyword arguments extend.
  if (others.length === 0 && first.kind === "open") return { value: { ...named, isOpen: true } };
  const isLeftOut = (value: KnownValue): boolean => value.kind === "primitive" && value.value === null;
  const positional = known.flatMap((value, index) => {
    const field = fields[index];
    return field === undefined || isLeftOut(value) ? [] : [[field.name, { key: value.node, value }] as const];
  });
  return { value: { ...named, fields: new Map([...positional, ...named.fields]) } };
};

/** The values of a call as Python itself binds them: by position, then by name. */
export const bindInOrder = (options: LiteralOptions, node: Call, names: readonly string[]): BoundValues => {
  const read = node.values.map((value) => readValues(options, value));
  if (!read.every((given) => given !== undefined)) return { value: undefined };
  const known = read.flat();
  const beyond = known[names.length];
  if (beyond !== undefined) return { value: undefined, excess: { node: beyond.node, max: names.length } };
  const positional = known.map((value, at) => [names[at] ?? "", { key: value.node, value }] as const);
  const named = readNamed(options, { node });
  return { value: { ...named, fields: new Map([...positional, ...named.fields]) } };
};
