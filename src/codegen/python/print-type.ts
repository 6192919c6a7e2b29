// Prints a type as a Python type expression. Objects with fields become TypedDict classes.
import { joinPath } from "../type-tree/read-object.js";
import {
  type Definition,
  type Fallback,
  type Field,
  type LiteralValue,
  type ObjectNode,
  type TypeNode,
  toIntersection,
  toPointerName,
  toUnion,
  unknownNode,
} from "../type-tree/type-node.js";
import { isClassField, quoteText, renderComment, toTypeName } from "./python-names.js";

interface ClassOptions {
  readonly node: ObjectNode;
  readonly name: string;
  readonly toType: (field: Field) => string;
}

const maxFieldComment = 600;

/** In a class body these would mean the field of that name. Generated types start with a capital or `_1`. */
const typeName = /^(?:str|int|float|bool|object|[A-Z].*|_\d.*)$/;

const renderField = (field: Field, toType: ClassOptions["toType"], indent: string) => ({
  name: field.name,
  type: field.isRequired ? toType(field) : `NotRequired[${toType(field)}]`,
  comment: renderComment({ documentation: field.documentation, indent, maxLength: maxFieldComment }),
});

const renderClass = ({ node, name, toType }: ClassOptions): string => {
  if (node.fields.every((field) => isClassField(field.name) && !typeName.test(field.name))) {
    const fields = node.fields.map((field) => renderField(field, toType, "    "));
    const lines = fields.map((field) => `${field.comment}    ${field.name}: ${field.type}\n`);
    return `class ${name}(TypedDict):\n${lines.join("")}`;
  }
  const fields = node.fields.map((field) => renderField(field, toType, "        "));
  const entries = fields.map(
    (field) => `${field.comment}        ${quoteText(field.name)}: ${quoteText(field.type)},\n`,
  );
  return `${name} = TypedDict(\n    "${name}",\n    {\n${entries.join("")}    },\n)\n`;
};

/** The state of printing one schema's types. */
export interface PrintContext {
  /** Arguments accept whatever fits. Results are what they declare. */
  readonly side: "arguments" | "result";
  readonly definitions: ReadonlyMap<string, Definition>;
  /** Names of the definitions, by pointer. */
  readonly names: ReadonlyMap<string, string>;
  readonly claim: (wanted: string) => string;
  /** The classes printed so far, each with its line end. */
  readonly classes: string[];
  /** Their names. A node that is printed twice is one class. */
  readonly classNames: Map<TypeNode, string>;
  /** Intersections as plain types. */
  readonly flattened: Map<TypeNode, TypeNode>;
  readonly fallbacks: Fallback[];
  /** The name of a class with this text if it is printed elsewhere. In the text, `ownName` stands for the name. */
  readonly share?: ((text: string) => string | undefined) | undefined;
}

/** No generated text has this character. */
export const ownName = "\u0003";

interface PrintPlace {
  /** The name of a class that is printed here. */
  readonly name: string;
  /** The place in the schema, for reports. */
  readonly path: string;
  /** Class names are quoted if the expression is evaluated before the classes exist. */
  readonly isEvaluated: boolean;
}

const maxPath = 300;
/** Names that are cut to the same text get a number. */
const maxName = 200;

const report = (context: PrintContext, place: PrintPlace, reason: string): void => {
  const path = place.path.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "").slice(0, maxPath);
  context.fallbacks.push({ path, reason });
};

/** The place of a field's type within its class. */
export const stepInto = (place: PrintPlace, field: string): PrintPlace => ({
  ...place,
  name: toTypeName(
    `${place.name}${toPointerName(`#/${field.replaceAll("~", "~0").replaceAll("/", "~1")}`)}`,
  ).slice(0, maxName),
  path: joinPath(place.path, field),
});

const printName = (name: string, { isEvaluated }: PrintPlace): string => (isEvaluated ? `"${name}"` : name);

const printLiteral = (value: LiteralValue): string | undefined => {
  if (typeof value === "string") return quoteText(value);
  if (typeof value === "boolean") return value ? "True" : "False";
  // Python has no literal types for floats.
  return Number.isSafeInteger(value) ? String(value === 0 ? 0 : value) : undefined;
};

const printUnion = (members: readonly TypeNode[], place: PrintPlace, context: PrintContext): string => {
  const literals: string[] = [];
  const others: string[] = [];
  let hasNull = false;
  for (const member of members) {
    const literal = member.kind === "literal" ? printLiteral(member.value) : undefined;
    if (literal !== undefined) literals.push(literal);
    else if (member.kind === "null") hasNull = true;
    else others.push(printType(member, place, context));
  }
  const unique = [...new Set(literals)];
  const parts = [...new Set(others), ...(unique.length > 0 ? [`Literal[${unique.join(", ")}]`] : [])];
  const [only] = parts;
  if (parts.length === 1) return hasNull ? `Optional[${only}]` : (only ?? "None");
  return `Union[${[...parts, ...(hasNull ? ["None"] : [])].join(", ")}]`;
};

/** What fits all parts fits one of them: a looser type refuses nothing that is right. */
const flatten = (node: TypeNode, members: readonly TypeNode[], place: PrintPlace, context: PrintContext) => {
  const known = context.flattened.get(node);
  if (known !== undefined) return known;
  const objects = listObjects(node, context.definitions);
  const [first = unknownNode] = members.filter(({ kind }) => kind !== "intersection");
  const flat = objects === undefined ? first : toUnion(objects);
  if (objects === undefined) report(context, place, "an intersection: Python gets only its first type");
  context.flattened.set(node, flat);
  return flat;
};

const printUnknown = ({ side }: PrintContext): string => (side === "arguments" ? "object" : "Any");

/** The name of a class that is printed here, or of the same class elsewhere. Its annotations are not evaluated. */
const printOrShare = (node: ObjectNode, place: PrintPlace, context: PrintContext): string => {
  context.classNames.set(node, place.name);
  const toType = ({ name, type }: Field): string =>
    printType(type, { ...stepInto(place, name), isEvaluated: false }, context);
  const text = renderClass({ node, name: ownName, toType });
  const shared = context.share?.(text);
  if (shared === undefined) context.classes.push(text.replaceAll(ownName, place.name));
  else context.classNames.set(node, shared);
  return shared ?? place.name;
};

/** Prints the class of an object with fields under its name, which is an alias if the class is printed elsewhere. */
export const printClass = (node: ObjectNode, place: PrintPlace, context: PrintContext): void => {
  const name = printOrShare(node, place, context);
  if (name !== place.name) context.classes.push(`${place.name} = ${name}\n`);
};

const printObject = (node: ObjectNode, place: PrintPlace, context: PrintContext): string => {
  const map = context.side === "arguments" ? "Mapping" : "Dict";
  if (node.fields.length === 0) {
    return `${map}[str, ${node.rest === undefined ? "NoReturn" : printType(node.rest, place, context)}]`;
  }
  const name =
    context.classNames.get(node) ??
    printOrShare(node, { ...place, name: context.claim(place.name) }, context);
  if (node.rest === undefined) return printName(name, place);
  // A TypedDict allows no other keys, so an object with some is the class or any mapping.
  if (context.side === "arguments") return `Union[${printName(name, place)}, Mapping[str, object]]`;
  report(context, place, "other keys next to named ones: Python reads them with get() only");
  return printName(name, place);
};

const printTuple = (node: TypeNode & { kind: "tuple" }, place: PrintPlace, context: PrintContext): string => {
  const all = toUnion([...node.items, ...(node.rest === undefined ? [] : [node.rest])]);
  // Programs pass lists, not tuples.
  if (context.side === "arguments") return `Sequence[${printType(all, place, context)}]`;
  if (node.rest !== undefined || node.minimum < node.items.length)
    return `List[${printType(all, place, context)}]`;
  return `Tuple[${node.items.map((item) => printType(item, place, context)).join(", ")}]`;
};

export const printType = (node: TypeNode, place: PrintPlace, context: PrintContext): string => {
  switch (node.kind) {
    case "string":
      return "str";
    case "number":
      return "float";
    case "integer":
      return "int";
    case "boolean":
      return "bool";
    case "null":
      return "None";
    case "never":
      return "NoReturn";
    case "unknown":
      return printUnknown(context);
    case "literal": {
      const literal = printLiteral(node.value);
      return literal === undefined ? "float" : `Literal[${literal}]`;
    }
    case "array":
      return `${context.side === "arguments" ? "Sequence" : "List"}[${printType(node.items, place, context)}]`;
    case "tuple":
      return printTuple(node, place, context);
    case "object":
      return printObject(node, place, context);
    case "union":
      return printUnion(node.members, place, context);
    case "intersection":
      return printType(flatten(node, node.members, place, context), place, context);
    case "reference": {
      const name = context.names.get(node.pointer);
      return name === undefined ? printUnknown(context) : printName(name, place);
    }
  }
};

type Definitions = ReadonlyMap<string, Definition>;

const maxAlternatives = 16;
const maxHops = 16;
/** Definitions that use each other many times would take exponential time. */
const maxVisits = 500;

const mergeFields = (left: Field, right: Field): Field => ({
  ...left,
  type: toIntersection([left.type, right.type]),
  isRequired: left.isRequired || right.isRequired,
});

const mergeObjects = (left: ObjectNode, right: ObjectNode): ObjectNode => {
  const fields = new Map(left.fields.map((field) => [field.name, field]));
  for (const field of right.fields) {
    const known = fields.get(field.name);
    fields.set(field.name, known === undefined ? field : mergeFields(known, field));
  }
  return { kind: "object", fields: [...fields.values()], rest: left.rest ?? right.rest };
};

/** The objects that a type can be; undefined if it can be something else, or too many objects. */
export const listObjects = (
  node: TypeNode,
  definitions: Definitions,
  hops = 0,
  budget = { left: maxVisits },
): readonly ObjectNode[] | undefined => {
  budget.left -= 1;
  if (hops > maxHops || budget.left < 0) return undefined;
  if (node.kind === "object") return [node];
  if (node.kind === "reference") {
    const definition = definitions.get(node.pointer);
    return definition === undefined ? undefined : listObjects(definition.type, definitions, hops + 1, budget);
  }
  if (node.kind !== "union" && node.kind !== "intersection") return undefined;
  let found: readonly ObjectNode[] | undefined;
  for (const member of node.members) {
    const list = listObjects(member, definitions, hops + 1, budget);
    if (list === undefined) return undefined;
    if (found === undefined) found = list;
    else if (node.kind === "union") found = [...found, ...list];
    else found = found.flatMap((one) => list.map((other) => mergeObjects(one, other)));
    if (found.length > maxAlternatives) return undefined;
  }
  return found;
};
