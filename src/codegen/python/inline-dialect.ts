// Python's types on one line. Dictionaries are shown by their keys, which no annotation of Python's can.
import type { InlineDialect } from "../inline/inline-dialect.js";
import { quoteText } from "./quote-text.js";

const toLiteral = (value: string | number | boolean): string => {
  if (typeof value === "string") return quoteText(value);
  return typeof value === "boolean" ? (value ? "True" : "False") : String(value);
};

export const pythonDialect: InlineDialect = {
  words: {
    string: "str",
    number: "float",
    integer: "int",
    boolean: "bool",
    null: "None",
    unknown: "Any",
    never: "NoReturn",
  },
  literal: toLiteral,
  widened: (value) => (typeof value === "string" ? "str" : typeof value === "boolean" ? "bool" : "float"),
  array: (items) => `list[${items}]`,
  tuple: (items, _minimum, rest) =>
    `list[${[...new Set([...items, ...(rest === undefined ? [] : [rest])])].join(" | ") || "Any"}]`,
  field: (name, isRequired, type) => `${quoteText(name)}${isRequired ? "" : "?"}: ${type}`,
  others: (type) => `str: ${type}`,
  object: (parts) => `{${parts.join(", ")}}`,
  hasBrackets: false,
};
