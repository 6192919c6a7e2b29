// Binds the values of a call to the arguments object, as the guest and the host do at run time.
import type { JsonSchema } from "../../contracts/index.js";
import { acceptsType, listFields, type SchemaField } from "../../schema/index.js";
import { type Place, toWords } from "../program.js";
import { type KnownValue, readEntries, readLiteral } from "./read-literal.js";
import type { CallForm, Node, Tree } from "./tree.js";

export interface BoundValues {
  /** The arguments as far as they are known; undefined if it is unclear how they are meant. */
  readonly value: KnownValue | undefined;
  /** The call has more values than the tool has parameters. */
  readonly excess?: { readonly node: Place; readonly max: number } | undefined;
  /** Arguments that may be given, besides those of `value`. */
  readonly maybe?: readonly string[] | undefined;
}

type KnownObject = Extract<KnownValue, { kind: "object" }>;
type Given = Pick<CallForm, "values" | "named"> & { readonly node: Node };

/** Python's spelling of a field that is a keyword: `from_`. */
const keywords = toWords(
  `False None True and as assert async await break class continue def del elif else except finally for from global if
  import in is lambda nonlocal not or pass raise return try while with yield`,
);
const toField = (name: string): string =>
  name.endsWith("_") && keywords.has(name.slice(0, -1)) ? name.slice(0, -1) : name;

/** Keyword arguments never overwrite each other, so those that are spread come first. */
const readNamed = (tree: Tree, { named, node }: Given): KnownObject => {
  const entries = named.map(({ name, value, start, end }) =>
    name === undefined
      ? { key: undefined, isSpread: true, place: value, value }
      : { key: toField(name), isSpread: false, place: { start, end }, value },
  );
  return readEntries(
    tree,
    entries.toSorted((one, other) => Number(other.isSpread) - Number(one.isSpread)),
    node,
  );
};

/** The positional values, with those of spread lists; undefined if their number is unknown. */
const readValues = (tree: Tree, values: readonly Node[]): readonly KnownValue[] | undefined => {
  const known = values.map((node) => {
    const form = tree.read(node);
    if (form.kind !== "spread") return [readLiteral(tree, node)];
    const list = readLiteral(tree, form.value);
    return list.kind === "array" ? list.items.map((item) => ({ ...item, node })) : undefined;
  });
  return known.every((given) => given !== undefined) ? known.flat() : undefined;
};

/** A null is an omitted argument. */
const mayBeLeftOut = (value: KnownValue): boolean =>
  value.kind === "absent" ||
  (value.kind === "primitive" && value.value === null) ||
  (value.kind === "choice" && value.options.some(mayBeLeftOut));

/** Keyword arguments are the fields of one object. After positional values they are options, unless an object is expected. */
export const bindCall = (tree: Tree, schema: JsonSchema, call: Given): BoundValues => {
  const { node } = call;
  const known = readValues(tree, call.values);
  if (known === undefined) return { value: undefined };
  if (call.named.length === 0) return bindKnown({ schema, known, node });
  const named = readNamed(tree, call);
  const [first, ...others] = known;
  if (first === undefined) return bindKnown({ schema, known: [named], node });
  if (others.length === 0 && first.kind === "object") {
    const fields = new Map([...first.fields, ...named.fields]);
    const isOpen = first.isOpen || named.isOpen;
    return bindKnown({ schema, known: [{ kind: "object", fields, isOpen, node }], node });
  }
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
  const positional = known.flatMap((value, index) => {
    const field = fields[index];
    const isOmitted = value.kind === "primitive" && value.value === null;
    return field === undefined || isOmitted ? [] : [[field.name, { key: value.node, value }] as const];
  });
  return { value: { ...named, fields: new Map([...positional, ...named.fields]) } };
};

/** The values of a call as the language itself binds them: by position, then by name. JavaScript ignores further ones. */
export const bindInOrder = (
  tree: Tree,
  names: readonly string[],
  call: Given,
  { ignoresExcess }: { readonly ignoresExcess: boolean },
): BoundValues => {
  const known = readValues(tree, call.values);
  if (known === undefined) return { value: undefined };
  const beyond = known[names.length];
  if (beyond !== undefined && !ignoresExcess)
    return { value: undefined, excess: { node: beyond.node, max: names.length } };
  const positional = names.flatMap((name, at) => {
    const value = known[at];
    return value === undefined ? [] : [[name, { key: value.node, value }] as const];
  });
  const named = readNamed(tree, call);
  return { value: { ...named, fields: new Map([...positional, ...named.fields]) } };
};

interface BindOptions {
  readonly schema: JsonSchema;
  /** The values in order. */
  readonly known: readonly KnownValue[];
  /** The call. */
  readonly node: Place;
}

const isObjectLike = ({ kind }: KnownValue): boolean => kind === "object" || kind === "open";

/** Whether a single object is the arguments object or the first argument. */
const isArguments = (value: KnownValue, fields: readonly SchemaField[], schema: JsonSchema): boolean => {
  if (value.kind !== "object") return false;
  const [first] = fields;
  if (first === undefined || value.fields.size === 0) return true;
  return fields.some(({ name }) => value.fields.has(name)) || !acceptsType(first.schema, schema, "object");
};

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
  if (beyond !== undefined && !isObjectLike(beyond) && !mayBeLeftOut(beyond))
    return { value: undefined, excess: { node: beyond.node, max: fields.length } };
  const entries = fields.flatMap(({ name }, index) => {
    const value = known[index];
    // An object at the end may hold named options.
    if (value === undefined || mayBeLeftOut(value) || (value === last && isObjectLike(value))) return [];
    return [[name, { key: value.node, value }] as const];
  });
  const maybe = fields.flatMap(({ name }, index) => (known[index]?.kind === "choice" ? [name] : []));
  const given = new Map(entries);
  return {
    value: { kind: "object", fields: given, isOpen: isObjectLike(last), node },
    maybe: maybe.filter((name) => !given.has(name)),
  };
};
