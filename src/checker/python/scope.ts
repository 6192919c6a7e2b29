// Types for the names of a Python program: where each one is bound and used.
import type { Expression, Import, ImportedName, Name, PythonNode, Statement } from "./syntax/node.js";

/** One place that binds a name. */
export interface Site {
  readonly kind: "assign" | "item" | "import" | "function" | "other";
  readonly node: Name;
  /** The binding statement or clause. */
  readonly holder: PythonNode;
  readonly scope: Scope;
  /** For "assign" the value, for "item" the iterated value. */
  readonly value?: Expression | undefined;
  /** Index path into a destructured value; undefined for a starred or unknown one. */
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
  /** Undefined if the program does not bind the name. */
  binding: Binding | undefined;
}

export interface Scope {
  readonly kind: "module" | "function" | "class" | "comprehension";
  readonly parent: Scope | undefined;
  readonly bindings: Map<string, Binding>;
  /** Names declared `global` or `nonlocal`. */
  readonly outer: Map<string, "global" | "nonlocal">;
}

/** A name bound more often than this is not treated as a constant. */
export const maxSites = 100;

/** A program as a tree with resolved names. */
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
