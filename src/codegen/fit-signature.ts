// Prints a tool's types on one line in any language, with as much detail as fits a given length.
import type { ToolTypes } from "./type-tree/read-type-tree.js";
import type {
  Definition,
  Field,
  LiteralValue,
  ObjectNode,
  TypeNode,
  TypeTree,
} from "./type-tree/type-node.js";

/** How a language writes types on one line. */
export interface InlineDialect {
  readonly words: Readonly<
    Record<"string" | "number" | "integer" | "boolean" | "null" | "unknown" | "never", string>
  >;
  readonly literal: (value: LiteralValue) => string;
  /** The type of a literal that is too long. */
  readonly widened: (value: LiteralValue) => string;
  /** `items` already has its brackets, if the dialect has them. */
  readonly array: (items: string) => string;
  readonly tuple: (items: readonly string[], minimum: number, rest: string | undefined) => string;
  /** `fallback`: the default as a literal. */
  readonly field: (name: string, isRequired: boolean, type: string, fallback?: string) => string;
  /** Keys beyond the named ones. */
  readonly others: (type: string) => string;
  readonly object: (parts: readonly string[]) => string;
  /** An object whose fields are not printed. */
  readonly anyObject: string;
  /** Whether a union within another type is put in brackets. */
  readonly hasBrackets: boolean;
}

export interface InlineOptions {
  readonly dialect: InlineDialect;
  readonly definitions: ReadonlyMap<string, Definition>;
  /** How many levels of objects are printed. */
  readonly levels: number;
  /** How many fields of one object are printed; required ones go first. */
  readonly maxFields: number;
  /** Required fields of the arguments are always printed, and those left out are counted. */
  readonly isArguments?: boolean | undefined;
  /** Leave out the types of fields. */
  readonly isNamesOnly?: boolean | undefined;
  /** Nodes that may still be printed: definitions that use each other many times would fill any memory. */
  readonly budget: { left: number };
  /** Leave out texts that could be read as sentences, for places where nobody expects a server's words. */
  readonly isPlain?: boolean | undefined;
  /** Do not mention that an object may have other keys. */
  readonly isBrief?: boolean | undefined;
}

const maxRequired = 16;
const maxMembers = { usual: 8, plain: 5 };
const maxLiteral = 40;
const ellipsis = "…";

const plainName = /^[A-Za-z_$][A-Za-z0-9_$]{0,39}$/;
/** One word or two, such as "New York": too short for a sentence. */
const plainLiteral = /^(?=.{0,24}$)[A-Za-z0-9_.:/@+#-]*(?: [A-Za-z0-9_.:/@+#-]+)?$/;

const printBound = (node: TypeNode, options: InlineOptions): string => {
  const text = printInlineType(node, options);
  const isOpen = text.includes(" | ") || text.includes(" & ");
  return isOpen && options.dialect.hasBrackets ? `(${text})` : text;
};

/** The fields that are printed, in their own order. If there are too many, required ones are preferred. */
export const selectFields = (
  { fields }: Pick<ObjectNode, "fields">,
  { maxFields, isPlain, isArguments }: Pick<InlineOptions, "maxFields" | "isPlain" | "isArguments">,
): readonly Field[] => {
  const possible = isPlain === true ? fields.filter(({ name }) => plainName.test(name)) : fields;
  if (possible.length <= maxFields) return possible;
  const required = possible.filter(({ isRequired }) => isRequired);
  const max = isArguments === true ? Math.max(maxFields, Math.min(required.length, maxRequired)) : maxFields;
  const chosen = new Set([...required, ...possible.filter(({ isRequired }) => !isRequired)].slice(0, max));
  return possible.filter((field) => chosen.has(field));
};

/** What stands for the fields that are not printed: `+4 options`, or an ellipsis if some of them are required. */
export const countOmitted = (
  fields: readonly Field[],
  shown: readonly Field[],
  { isArguments }: Pick<InlineOptions, "isArguments">,
): readonly string[] => {
  const omitted = fields.filter((field) => !shown.includes(field));
  if (omitted.length === 0) return [];
  if (isArguments !== true || omitted.some(({ isRequired }) => isRequired)) return [ellipsis];
  return [`+${omitted.length} option${omitted.length === 1 ? "" : "s"}`];
};

const printObject = (node: ObjectNode, options: InlineOptions): string => {
  const { fields, rest } = node;
  const { dialect } = options;
  if (fields.length === 0 && rest === undefined) return "{}";
  if (options.levels === 0) return dialect.anyObject;
  const inner = { ...options, levels: options.levels - 1, isNamesOnly: false, isArguments: false };
  const shown = selectFields(node, options);
  const parts = shown.map((field) => {
    const { name, type, isRequired, fallback } = field;
    if (options.isNamesOnly === true) return dialect.field(name, isRequired, "");
    const stated = fallback === undefined ? undefined : dialect.literal(fallback);
    return dialect.field(name, isRequired, printInlineType(type, inner), stated);
  });
  if (rest !== undefined && !(options.isBrief === true && fields.length > 0))
    parts.push(dialect.others(fields.length > 0 ? dialect.words.unknown : printInlineType(rest, inner)));
  parts.push(...countOmitted(fields, shown, options));
  return dialect.object(parts);
};

const printMembers = (members: readonly TypeNode[], separator: string, options: InlineOptions): string => {
  const max = options.isPlain === true ? maxMembers.plain : maxMembers.usual;
  const isHidden = (member: TypeNode): boolean =>
    member.kind === "literal" && !isShownLiteral(member.value, options);
  // Without its hidden values, a list of values is not a list of all texts.
  const visible = members.every(isHidden) ? members : members.filter((member) => !isHidden(member));
  const shown = visible.slice(0, max).map((member) => printBound(member, options));
  const isCut = visible.length > max || visible.length < members.length;
  return [...new Set(isCut ? [...shown, ellipsis] : shown)].join(separator);
};

const isShownLiteral = (value: LiteralValue, { isPlain, dialect }: InlineOptions): boolean =>
  dialect.literal(value).length <= maxLiteral && (isPlain !== true || plainLiteral.test(String(value)));

/** References are resolved as far as the levels go. */
export const printInlineType = (node: TypeNode, options: InlineOptions): string => {
  const { dialect } = options;
  options.budget.left -= 1;
  if (options.budget.left < 0) return ellipsis;
  switch (node.kind) {
    case "literal":
      return isShownLiteral(node.value, options) ? dialect.literal(node.value) : dialect.widened(node.value);
    case "array":
      return dialect.array(printBound(node.items, options));
    case "tuple":
      return dialect.tuple(
        node.items.map((item) => printBound(item, options)),
        node.minimum,
        node.rest === undefined ? undefined : printBound(node.rest, options),
      );
    case "object":
      return printObject(node, options);
    case "union":
      return printMembers(node.members, " | ", options);
    case "intersection":
      return printMembers(node.members, " & ", options);
    case "reference": {
      const definition = options.definitions.get(node.pointer);
      // A reference takes a level too, so that a cycle ends.
      if (definition === undefined || options.levels === 0) return dialect.anyObject;
      const inner = definition.type.kind === "object" ? options : { ...options, levels: options.levels - 1 };
      return printInlineType(definition.type, inner);
    }
    default:
      return dialect.words[node.kind];
  }
};

/** How much of a type is printed. */
interface Detail {
  readonly levels: number;
  readonly maxFields: number;
  readonly isNamesOnly?: boolean | undefined;
}

/** What `render` gets: options to print the arguments with, and the printed result. */
interface SignatureParts {
  readonly arguments: InlineOptions;
  /** Undefined if the result is unknown. */
  readonly result: string | undefined;
}

interface FitOptions {
  readonly types: ToolTypes;
  readonly dialect: InlineDialect;
  readonly maxLength: number;
  readonly isPlain?: boolean | undefined;
  readonly isBrief?: boolean | undefined;
  readonly render: (parts: SignatureParts) => string;
}

const full: Detail = { levels: 6, maxFields: 100 };
const toShort = (maxFields: number): Detail => ({ levels: 1, maxFields });
const nothing: Detail = { levels: 0, maxFields: 0 };

/** Detail of arguments and result, from everything to nearly nothing. */
const details: readonly (readonly [wanted: Detail, result: Detail])[] = [
  [full, full],
  [full, { levels: 2, maxFields: 100 }],
  [full, { levels: 2, maxFields: 8 }],
  [full, toShort(100)],
  [full, toShort(8)],
  [{ levels: 2, maxFields: 100 }, toShort(8)],
  [toShort(100), toShort(8)],
  [toShort(100), toShort(4)],
  [toShort(100), nothing],
  ...[16, 12, 8, 6, 4, 2, 0].map((max) => [toShort(max), nothing] as const),
  ...[8, 4, 0].map((max) => [{ ...toShort(max), isNamesOnly: true }, nothing] as const),
];

/** The first rendering that fits, else the shortest. */
export const fitSignature = ({ types, dialect, maxLength, render, ...style }: FitOptions): string => {
  const attempt = ([wanted, result]: readonly [Detail, Detail]) => {
    // Each node takes at least a character, so a line that runs out of nodes is too long.
    const budget = { left: maxLength };
    const toOptions = ({ definitions }: TypeTree, detail: Detail): InlineOptions => ({
      dialect,
      definitions,
      budget,
      ...style,
      ...detail,
    });
    const { result: given } = types;
    const text = render({
      arguments: { ...toOptions(types.arguments, wanted), isArguments: true },
      result: given && printInlineType(given.root, toOptions(given, result)),
    });
    return { text, fits: budget.left >= 0 && text.length <= maxLength };
  };
  for (const detail of details) {
    const { text, fits } = attempt(detail);
    if (fits) return text;
  }
  return attempt([nothing, nothing]).text;
};
