// A type node on one line in any language, with what does not fit left out.
import type { Definition, Field, ObjectNode, TypeNode } from "../type-tree/type-node.js";
import type { InlineDialect } from "./inline-dialect.js";

export interface InlineOptions {
  readonly dialect: InlineDialect;
  readonly definitions: ReadonlyMap<string, Definition>;
  /** Levels of objects that are written out. */
  readonly levels: number;
  /** Fields of one object that are written out; required ones go first. */
  readonly mostFields: number;
  /** Nodes that may still be written: definitions that use each other many times would fill any memory. */
  readonly budget: { left: number };
  /** Leave out texts that could be read as more than names: for places where nobody expects a server's words. */
  readonly isPlain?: boolean;
  /** Do not tell that other keys may stand beside the named ones. */
  readonly isBrief?: boolean;
}

const mostMembers = { usual: 8, plain: 5 };
const longestLiteral = 40;
export const leftOut = "…";

const plainName = /^[A-Za-z_$][A-Za-z0-9_$]{0,39}$/;
const plainLiteral = /^[A-Za-z0-9_.:/@+#-]{0,24}$/;

const printBound = (node: TypeNode, options: InlineOptions): string => {
  const text = printInlineType(node, options);
  const isOpen = text.includes(" | ") || text.includes(" & ");
  return isOpen && options.dialect.hasBrackets ? `(${text})` : text;
};

/** Fields that are written out: the required ones first, in their own order. */
export const selectFields = (
  { fields }: Pick<ObjectNode, "fields">,
  { mostFields, isPlain }: Pick<InlineOptions, "mostFields" | "isPlain">,
): readonly Field[] => {
  const possible = isPlain === true ? fields.filter(({ name }) => plainName.test(name)) : fields;
  if (possible.length <= mostFields) return possible;
  const kept = new Set(
    [...possible]
      .sort((left, right) => Number(right.isRequired) - Number(left.isRequired))
      .slice(0, mostFields),
  );
  return possible.filter((field) => kept.has(field));
};

const printObject = (node: ObjectNode, options: InlineOptions): string => {
  const { fields, rest } = node;
  const { dialect } = options;
  if (fields.length === 0 && rest === undefined) return "{}";
  if (options.levels === 0) return `{${leftOut}}`;
  const inner = { ...options, levels: options.levels - 1 };
  const shown = selectFields(node, options);
  const parts = shown.map(({ name, type, isRequired }) =>
    dialect.field(name, isRequired, printInlineType(type, inner)),
  );
  if (rest !== undefined && !(options.isBrief === true && fields.length > 0))
    parts.push(dialect.others(fields.length > 0 ? dialect.words.unknown : printInlineType(rest, inner)));
  if (shown.length < fields.length) parts.push(leftOut);
  return dialect.object(parts);
};

const printMembers = (members: readonly TypeNode[], separator: string, options: InlineOptions): string => {
  const most = options.isPlain === true ? mostMembers.plain : mostMembers.usual;
  const shown = members.slice(0, most).map((member) => printBound(member, options));
  return [...new Set(members.length > most ? [...shown, leftOut] : shown)].join(separator);
};

/** References are written out as far as the levels go. */
export const printInlineType = (node: TypeNode, options: InlineOptions): string => {
  const { dialect } = options;
  options.budget.left -= 1;
  if (options.budget.left < 0) return leftOut;
  switch (node.kind) {
    case "literal": {
      const text = dialect.literal(node.value);
      const isTold = options.isPlain !== true || plainLiteral.test(String(node.value));
      return text.length > longestLiteral || !isTold ? dialect.widened(node.value) : text;
    }
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
      // A reference takes a level too: otherwise one that leads back would never end.
      if (definition === undefined || options.levels === 0) return `{${leftOut}}`;
      const inner = definition.type.kind === "object" ? options : { ...options, levels: options.levels - 1 };
      return printInlineType(definition.type, inner);
    }
    default:
      return dialect.words[node.kind];
  }
};
