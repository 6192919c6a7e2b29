// The words of a Python program's names: where each is bound, where it is used.
import type { Expression, Import, ImportedName, Name, PythonNode, Statement } from "../syntax/node.js";

/** One place that gives a name its value. */
export interface Site {
  readonly kind: "assign" | "item" | "import" | "function" | "other";
  readonly node: Name;
  /** The statement or clause that does it. */
  readonly holder: PythonNode;
  readonly scope: Scope;
  /** Of "assign" the value, of "item" what is gone through. */
  readonly value?: Expression | undefined;
  /** Positions within the value, where it is taken apart; undefined at a starred or an unknown one. */
  readonly path?: readonly (number | undefined)[] | undefined;
  readonly statement?: Import | undefined;
  readonly imported?: ImportedName | undefined;
}

export interface Binding {
  readonly name: string;
  readonly scope: Scope;
  readonly sites: Site[];
  readonly references: Reference[];
}

export interface Reference {
  readonly node: Name;
  readonly scope: Scope;
  /** Undefined when the program does not bind the name. */
  binding: Binding | undefined;
}

export interface Scope {
  readonly kind: "module" | "function" | "class" | "comprehension";
  readonly parent: Scope | undefined;
  readonly bindings: Map<string, Binding>;
  /** Names that `global` and `nonlocal` hand on. */
  readonly outer: Map<string, "global" | "nonlocal">;
}

/** A name that is given a value more often than this is nobody's constant. */
export const mostSites = 100;

/** A program as a tree, with its names resolved. */
export interface PythonSyntax {
  readonly text: string;
  readonly statements: readonly Statement[];
  readonly nodes: readonly PythonNode[];
  readonly references: readonly Reference[];
  readonly bindings: readonly Binding[];
  readonly parentOf: (node: PythonNode) => PythonNode | undefined;
  /** The name of a function. */
  readonly bindingOf: (definition: PythonNode) => Binding | undefined;
  readonly referenceOf: (node: PythonNode) => Reference | undefined;
}
