// A Python program as plain data: only what the check needs, each part with its position.

import type { Place } from "../../program.js";

export interface Name extends Place {
  readonly kind: "name";
  readonly name: string;
}

export interface Attribute extends Place {
  readonly kind: "attribute";
  readonly object: Expression;
  readonly name: string;
  readonly nameStart: number;
}

interface Subscript extends Place {
  readonly kind: "subscript";
  readonly object: Expression;
  readonly index: Expression;
}

export interface NamedValue extends Place {
  readonly kind: "named";
  /** Undefined for `**value`. */
  readonly name: string | undefined;
  readonly value: Expression;
}

export interface Call extends Place {
  readonly kind: "call";
  readonly callee: Expression;
  readonly values: readonly Expression[];
  readonly named: readonly NamedValue[];
}

export interface Text extends Place {
  readonly kind: "text";
  readonly value: string;
}

export interface Comprehension extends Place {
  readonly kind: "comprehension";
  readonly form: "list" | "set" | "dictionary" | "generator";
  readonly elements: readonly Expression[];
  readonly clauses: readonly ComprehensionClause[];
}

export interface ComprehensionClause extends Place {
  readonly kind: "clause";
  readonly target: Expression;
  readonly iterated: Expression;
  readonly conditions: readonly Expression[];
}

export interface Parameter extends Place {
  readonly kind: "parameter";
  readonly name: Name;
  /** `*values` or `**named`. */
  readonly isRest: boolean;
  readonly fallback: Expression | undefined;
  readonly annotation: Expression | undefined;
}

interface Lambda extends Place {
  readonly kind: "lambda";
  readonly parameters: readonly Parameter[];
  readonly body: Expression;
}

export interface DictionaryEntry extends Place {
  readonly kind: "entry";
  /** Undefined for `**value`. */
  readonly key: Expression | undefined;
  readonly value: Expression;
}

export type Expression =
  | Name
  | Attribute
  | Subscript
  | Call
  | Text
  | Comprehension
  | Lambda
  | (Place & { readonly kind: "await" | "starred"; readonly value: Expression })
  /** A string with interpolated values. */
  | (Place & { readonly kind: "format"; readonly parts: readonly Expression[] })
  /** `value` is undefined for a complex number. */
  | (Place & { readonly kind: "number"; readonly value: number | undefined })
  | (Place & { readonly kind: "constant"; readonly value: boolean | null })
  | (Place & { readonly kind: "list" | "tuple" | "set"; readonly items: readonly Expression[] })
  | (Place & { readonly kind: "dictionary"; readonly entries: readonly DictionaryEntry[] })
  | (Place & { readonly kind: "assigning"; readonly target: Expression; readonly value: Expression })
  | (Place & {
      readonly kind: "choice";
      readonly test: Expression;
      readonly body: Expression;
      readonly otherwise: Expression;
    })
  | (Place & {
      readonly kind: "operation";
      readonly operator: string;
      readonly operands: readonly Expression[];
    })
  /** `a:b`, an ellipsis, bytes, `yield`. */
  | (Place & { readonly kind: "other"; readonly parts: readonly Expression[] });

/** Statements that run in sequence. */
export interface Block extends Place {
  readonly kind: "block";
  readonly statements: readonly Statement[];
}

export interface FunctionDefinition extends Place {
  readonly kind: "function";
  readonly name: Name;
  readonly decorators: readonly Expression[];
  readonly typeParameters: readonly Name[];
  readonly parameters: readonly Parameter[];
  readonly annotation: Expression | undefined;
  readonly blocks: readonly Block[];
}

export interface Import extends Place {
  readonly kind: "import";
  /** Of `from module import …`; leading dots mark a relative import. */
  readonly module: string | undefined;
  readonly moduleStart: number;
  readonly names: readonly ImportedName[];
}

export interface ImportedName extends Place {
  readonly kind: "imported";
  /** A dotted module, or a name of `from`; `*` imports all. */
  readonly name: string;
  readonly bound: Name;
}

export interface Handler extends Place {
  readonly kind: "handler";
  readonly type: Expression | undefined;
  readonly name: Name | undefined;
  readonly block: Block;
}

export interface Try extends Place {
  readonly kind: "try";
  /** The `try` block, then `else` and `finally`. */
  readonly blocks: readonly Block[];
  readonly handlers: readonly Handler[];
}

export type Statement =
  | FunctionDefinition
  | Import
  | Try
  | (Place & { readonly kind: "expression"; readonly value: Expression })
  | (Place & {
      readonly kind: "assign";
      readonly targets: readonly Expression[];
      readonly value: Expression | undefined;
      readonly annotation: Expression | undefined;
    })
  | (Place & { readonly kind: "update"; readonly target: Expression; readonly value: Expression })
  | (Place & {
      readonly kind: "class";
      readonly name: Name;
      readonly decorators: readonly Expression[];
      readonly bases: readonly (Expression | NamedValue)[];
      readonly blocks: readonly Block[];
    })
  | (Place & {
      readonly kind: "for";
      readonly target: Expression;
      readonly iterated: Expression;
      readonly blocks: readonly Block[];
    })
  | (Place & {
      readonly kind: "with";
      readonly items: readonly Expression[];
      readonly targets: readonly Expression[];
      readonly blocks: readonly Block[];
    })
  /** `if`, `while`, `match`: the condition, the names bound by patterns, the blocks. */
  | (Place & {
      readonly kind: "branch" | "while";
      readonly tests: readonly Expression[];
      readonly captures: readonly Name[];
      readonly blocks: readonly Block[];
    })
  | (Place & { readonly kind: "delete"; readonly targets: readonly Expression[] })
  | (Place & { readonly kind: "scope"; readonly word: string; readonly names: readonly string[] })
  | (Place & { readonly kind: "return"; readonly value: Expression | undefined })
  | (Place & {
      readonly kind: "simple";
      readonly parts: readonly Expression[];
      readonly binds: readonly Name[];
    });

export type PythonNode =
  | Expression
  | Statement
  | Block
  | NamedValue
  | ComprehensionClause
  | Parameter
  | DictionaryEntry
  | ImportedName
  | Handler;

const isNode = (value: unknown): value is PythonNode =>
  typeof value === "object" && value !== null && "kind" in value;

/** The children of a node, in source order where it matters. */
export const childrenOf = (node: PythonNode): readonly PythonNode[] =>
  Object.values(node).flatMap((value: unknown) =>
    Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [],
  );
