// Types as data, between the JSON Schema that servers write and the languages that libraries are written in.

export type TypeNode =
  | { readonly kind: "string" | "number" | "integer" | "boolean" | "null" | "unknown" | "never" }
  | { readonly kind: "literal"; readonly value: string | number | boolean }
  | { readonly kind: "array"; readonly items: TypeNode }
  | {
      readonly kind: "tuple";
      readonly items: readonly TypeNode[];
      /** How many of the items are always there. */
      readonly minimum: number;
      readonly rest?: TypeNode;
    }
  | ObjectNode
  | { readonly kind: "union" | "intersection"; readonly members: readonly TypeNode[] }
  /** A definition of the same tree, by the pointer it was referred to with; `#` is the root. */
  | { readonly kind: "reference"; readonly pointer: string };

/** Neither fields nor `rest` is an object that holds nothing. */
export interface ObjectNode {
  readonly kind: "object";
  readonly fields: readonly Field[];
  /** What keys beyond the fields hold. Next to fields it is `unknown`, or all of them are simple. */
  readonly rest?: TypeNode;
}

export interface Field {
  readonly name: string;
  readonly type: TypeNode;
  readonly isRequired: boolean;
  readonly documentation: Documentation;
}

/** What people read of a type. The texts are the server's: untrusted. */
export interface Documentation {
  readonly description?: string;
  /** `Default: 10`, `Format: date-time`, ... */
  readonly notes: readonly string[];
}

/** A place where a type could not be told and became `unknown` or `never`. */
export interface Fallback {
  /** Where, as a pointer that starts with the schema's name: `inputSchema/properties/mode`. */
  readonly path: string;
  readonly reason: string;
}

export interface Definition {
  readonly type: TypeNode;
  readonly documentation: Documentation;
}

export interface TypeTree {
  readonly root: TypeNode;
  /** What references point at, in the order they are met; the root is not among them. */
  readonly definitions: ReadonlyMap<string, Definition>;
  readonly fallbacks: readonly Fallback[];
}

export const unknownNode: TypeNode = { kind: "unknown" };
export const neverNode: TypeNode = { kind: "never" };
