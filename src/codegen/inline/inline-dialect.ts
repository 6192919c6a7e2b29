// How a language writes types on one line.
import type { TypeNode } from "../type-tree/type-node.js";

export interface InlineDialect {
  readonly words: Readonly<
    Record<"string" | "number" | "integer" | "boolean" | "null" | "unknown" | "never", string>
  >;
  readonly literal: (value: Extract<TypeNode, { kind: "literal" }>["value"]) => string;
  /** What is left of a literal that is too long. */
  readonly widened: (value: Extract<TypeNode, { kind: "literal" }>["value"]) => string;
  /** `items` is in brackets already where the dialect asks for them. */
  readonly array: (items: string) => string;
  readonly tuple: (items: readonly string[], minimum: number, rest: string | undefined) => string;
  readonly field: (name: string, isRequired: boolean, type: string) => string;
  /** Keys beyond the named ones. */
  readonly others: (type: string) => string;
  readonly object: (parts: readonly string[]) => string;
  /** Members of a union within another type stand in brackets. */
  readonly hasBrackets: boolean;
}
