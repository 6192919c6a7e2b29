// What the rules see of a program, whichever language it is written in. Each parser lowers its syntax to this.
//
// - A node is opaque: a place in the text, compared by identity.
// - `read` lowers one node: what it is and the nodes it consists of. What no rule looks into is "other".
// - `lookUp` resolves a name: the import, value, loop, function or parameter that binds it, and all its uses.
// - `functionOf` has what is needed to follow values through a function.
//
// Scopes, hoisting, brackets and types stay in the parsers. They answer only what is certain.
import type { Place } from "../program.js";
import type { KnownValue } from "./read-literal.js";

export type Node = Place;

/** `name=value`, or `**value` without a name. */
export interface NamedValue extends Place {
  readonly name: string | undefined;
  readonly value: Node;
}

export interface ObjectEntry {
  /** Undefined if the key is computed, or if the entry is spread. */
  readonly key: string | undefined;
  readonly isSpread: boolean;
  readonly place: Place;
  readonly value: Node;
}

export type CallForm = Extract<Form, { kind: "call" }>;
export type MemberForm = Extract<Form, { kind: "member" }>;

export type Form =
  | { readonly kind: "name"; readonly name: string }
  | {
      readonly kind: "member";
      readonly object: Node;
      /** Undefined if it is not static. */
      readonly key: string | undefined;
      /** Where a wrong key is reported. */
      readonly keyStart: number;
      /** Written `object[key]`, in a language where that is something else than `object.key`. */
      readonly isIndex: boolean;
    }
  | {
      readonly kind: "call";
      readonly callee: Node;
      readonly values: readonly Node[];
      readonly named: readonly NamedValue[];
      /** `callee?.()` */
      readonly isOptional: boolean;
    }
  | { readonly kind: "literal"; readonly value: string | number | boolean | null }
  /** `undefined` */
  | { readonly kind: "absent" }
  /** A value of which only the type is known. */
  | { readonly kind: "typed"; readonly type: "string" | "number" | "boolean" | "array" }
  | { readonly kind: "negative"; readonly value: Node }
  | { readonly kind: "choice"; readonly options: readonly Node[] }
  | { readonly kind: "object"; readonly entries: readonly ObjectEntry[] }
  | { readonly kind: "list"; readonly items: readonly Node[] }
  | { readonly kind: "spread"; readonly value: Node }
  | { readonly kind: "await"; readonly value: Node }
  | { readonly kind: "other" };

/** Where the value of a name comes from. */
export type Origin =
  /** `path` leads into a destructured value; undefined is a step that is not static. */
  | { readonly kind: "value"; readonly value: Node; readonly path: Path }
  /** An item of an iterated list. */
  | { readonly kind: "item"; readonly list: Node; readonly path: Path }
  /** A name of a module, or the whole module. */
  | { readonly kind: "import"; readonly module: string; readonly name: string | undefined }
  | { readonly kind: "function"; readonly node: Node }
  | ParameterOrigin;

export type ImportOrigin = Extract<Origin, { kind: "import" }>;

export interface ParameterOrigin {
  readonly kind: "parameter";
  readonly function: Node;
  readonly index: number;
  /** Its name, if calls can pass it by name. */
  readonly name?: string | undefined;
  /** Its default value. */
  readonly fallback?: Node | undefined;
}

type Path = readonly (string | number | undefined)[];

/** A name that the program binds. */
export interface NameBinding {
  /** What it refers to at this place; undefined if that is not certain. */
  readonly origin: Origin | undefined;
  /** Everything it may refer to, with undefined for what cannot be followed; "many" if there is too much. */
  readonly origins: () => readonly (Origin | undefined)[] | "many";
  readonly uses: readonly Node[];
  /** It is bound in one place only. */
  readonly isBoundOnce: boolean;
}

export interface FunctionFacts {
  readonly isAsync: boolean;
  /** Neither a generator nor decorated. */
  readonly isPlain: boolean;
  /** The values of its `return` statements; undefined for one without a value. */
  readonly returns: readonly (Node | undefined)[];
  /** It may end without a `return`. */
  readonly mayFallThrough: boolean;
  /** Every use of its name; undefined if it can be called in other ways. */
  readonly uses: readonly Node[] | undefined;
  /** Its only call, if there is exactly one; "program" if it is the program itself. */
  readonly onlyCall: Node | "program" | undefined;
}

export interface Tree {
  readonly text: string;
  /** Every use of a name as a value, in order. */
  readonly references: readonly { readonly node: Node; readonly name: string }[];
  /** Every name that the program binds somewhere. */
  readonly declared: ReadonlySet<string>;
  readonly nodes: () => Iterable<Node>;
  readonly parentOf: (node: Node) => Node | undefined;
  /** The node with everything around it that has no effect at run time: brackets, types. */
  readonly outermost: (node: Node) => Node;
  readonly read: (node: Node) => Form;
  /** The result of a built-in function that makes a value: `dict(a=1)`, `str(…)`. */
  readonly readBuiltInCall: (call: Node) => Form | undefined;
  /** Undefined if the program does not bind the name. */
  readonly lookUp: (name: Node) => NameBinding | undefined;
  readonly functionOf: (node: Node) => FunctionFacts | undefined;
  /** The result of a function that returns no value. */
  readonly toNothing: (call: Node) => KnownValue;
  /** Whether a part of a node may run more often than the node: the body of a loop. */
  readonly repeats: (node: Node, part: Node) => boolean;
  /** The value only gets other names; `isOpen` if some of them are not static. */
  readonly readAlias: (value: Node) => { readonly isOpen: boolean } | undefined;
  /** Called, also with `new`. */
  readonly isCallee: (node: Node) => boolean;
  /** Printed or interpolated. */
  readonly isShown: (node: Node) => boolean;
  /** The result of the program. */
  readonly isResult: (node: Node) => boolean;
  /** The program only tests whether it exists. */
  readonly isTested: (node: Node) => boolean;
}

export interface Imported {
  readonly module: string;
  /** Undefined for the whole module. */
  readonly name: string | undefined;
}

/** The import that an expression refers to: `name`, or `module.name`. */
export const readImported = (tree: Tree, node: Node): Imported | undefined => {
  const form = tree.read(node);
  if (form.kind === "member") {
    const owner = form.isIndex || form.key === undefined ? undefined : readImported(tree, form.object);
    if (owner === undefined) return undefined;
    const { module, name } = owner;
    return { module: name === undefined ? module : `${module}.${name}`, name: form.key };
  }
  const origin = form.kind === "name" ? tree.lookUp(node)?.origin : undefined;
  return origin?.kind === "import" ? origin : undefined;
};
