// The values of a Python call → the arguments object, as the guest and the host bind them when the call is made.
import { type BoundValues, bindKnown } from "../../tools/bind-values.js";
import type { KnownValue } from "../../tools/known-value.js";
import { acceptsObject, listFields } from "../../tools/schema.js";
import type { PythonToolCall } from "./find-tool-uses.js";
import { type LiteralOptions, readLiteral } from "./read-literal.js";

type KnownObject = Extract<KnownValue, { kind: "object" }>;

const keywords = new Set(
  `False None True and as assert async await break class continue def del elif else except finally for from global if
  import in is lambda nonlocal not or pass raise return try while with yield`.split(/\s+/),
);

/** `from_` is how Python spells `from`. */
const toField = (name: string): string =>
  name.endsWith("_") && keywords.has(name.slice(0, -1)) ? name.slice(0, -1) : name;

const readNamed = (options: LiteralOptions, { node }: PythonToolCall): KnownObject => {
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

/** Keyword arguments are the fields of one object; after other values they are options, where no object is wanted. */
export const bindCall = (options: LiteralOptions, call: PythonToolCall): BoundValues => {
  const { tool, values, node } = call;
  const schema = tool.inputSchema;
  if (values.some(({ kind }) => kind === "starred")) return { value: undefined };
  const known = values.map((value) => readLiteral(options, value));
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
      ? { value: undefined, excess: { node: given.key, most: fields.length } }
      : { value: undefined };
  }
  // There the keyword arguments may be the object itself.
  if (acceptsObject(schema, next.schema)) return { value: undefined };
  // One value alone may be a dictionary that the rest is laid over.
  if (others.length === 0 && first.kind === "open") return { value: { ...named, isOpen: true } };
  const isLeftOut = (value: KnownValue): boolean => value.kind === "primitive" && value.value === null;
  const positional = known.flatMap((value, index) => {
    const field = fields[index];
    return field === undefined || isLeftOut(value) ? [] : [[field.name, { key: value.node, value }] as const];
  });
  return { value: { ...named, fields: new Map([...positional, ...named.fields]) } };
};
