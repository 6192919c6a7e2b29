// A type node as TypeScript on one line, with what does not fit left out.
import type { Definition, Field, ObjectNode, TypeNode } from "../type-tree/type-node.js";
import { printLiteral } from "./print-type.js";
import { renderName } from "./quote-text.js";

export interface InlineOptions {
  readonly definitions: ReadonlyMap<string, Definition>;
  /** Levels of objects that are written out. */
  readonly levels: number;
  /** Fields of one object that are written out; required ones go first. */
  readonly mostFields: number;
  /** Nodes that may still be written: definitions that use each other many times would fill any memory. */
  readonly budget: { left: number };
}

const mostMembers = 8;
const longestLiteral = 40;
const leftOut = "…";

const printBound = (node: TypeNode, options: InlineOptions): string => {
  const text = printInlineType(node, options);
  return text.includes(" | ") || text.includes(" & ") ? `(${text})` : text;
};

const selectFields = ({ fields }: ObjectNode, most: number): readonly Field[] => {
  if (fields.length <= most) return fields;
  const kept = new Set(
    [...fields].sort((left, right) => Number(right.isRequired) - Number(left.isRequired)).slice(0, most),
  );
  return fields.filter((field) => kept.has(field));
};

const printObject = (node: ObjectNode, options: InlineOptions): string => {
  const { fields, rest } = node;
  if (fields.length === 0 && rest === undefined) return "{}";
  if (options.levels === 0) return `{${leftOut}}`;
  const inner = { ...options, levels: options.levels - 1 };
  const shown = selectFields(node, options.mostFields);
  const parts = shown.map(
    ({ name, type, isRequired }) =>
      `${renderName(name)}${isRequired ? "" : "?"}: ${printInlineType(type, inner)}`,
  );
  if (rest !== undefined)
    parts.push(`[key: string]: ${fields.length > 0 ? "unknown" : printInlineType(rest, inner)}`);
  if (shown.length < fields.length) parts.push(leftOut);
  return `{ ${parts.join("; ")} }`;
};

const printMembers = (members: readonly TypeNode[], separator: string, options: InlineOptions): string => {
  const shown = members.slice(0, mostMembers).map((member) => printBound(member, options));
  return [...new Set(members.length > mostMembers ? [...shown, leftOut] : shown)].join(separator);
};

/** References are written out as far as the levels go. */
export const printInlineType = (node: TypeNode, options: InlineOptions): string => {
  options.budget.left -= 1;
  if (options.budget.left < 0) return leftOut;
  switch (node.kind) {
    case "literal": {
      const text = printLiteral(node.value);
      return text.length > longestLiteral ? typeof node.value : text;
    }
    case "integer":
      return "number";
    case "array":
      return `${printBound(node.items, options)}[]`;
    case "tuple":
      return `[${node.items
        .map((item, index) => `${printBound(item, options)}${index < node.minimum ? "" : "?"}`)
        .concat(node.rest === undefined ? [] : [`...${printBound(node.rest, options)}[]`])
        .join(", ")}]`;
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
      return node.kind;
  }
};
