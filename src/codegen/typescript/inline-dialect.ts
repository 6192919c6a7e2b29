// TypeScript's types on one line.
import type { InlineDialect } from "../inline/inline-dialect.js";
import { printLiteral } from "./print-type.js";
import { renderName } from "./quote-text.js";

export const typescriptDialect: InlineDialect = {
  words: {
    string: "string",
    number: "number",
    integer: "number",
    boolean: "boolean",
    null: "null",
    unknown: "unknown",
    never: "never",
  },
  literal: printLiteral,
  widened: (value) => typeof value,
  array: (items) => `${items}[]`,
  tuple: (items, minimum, rest) =>
    `[${items
      .map((item, index) => `${item}${index < minimum ? "" : "?"}`)
      .concat(rest === undefined ? [] : [`...${rest}[]`])
      .join(", ")}]`,
  field: (name, isRequired, type) => `${renderName(name)}${isRequired ? "" : "?"}: ${type}`,
  others: (type) => `[key: string]: ${type}`,
  object: (parts) => `{ ${parts.join("; ")} }`,
  hasBrackets: true,
};
