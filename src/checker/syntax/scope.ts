// Types for the names of a program: where each one is declared and used.
import type { IdentifierReference, ImportDeclaration, Node } from "oxc-parser";

export type BindingKind = "import" | "const" | "let" | "var" | "function" | "class" | "parameter" | "other";

/** A name that the program declares. */
export interface Binding {
  readonly name: string;
  readonly kind: BindingKind;
  /** The declared identifier. */
  readonly node: Node;
  /** The declarator, import specifier, function, class or parameter that declares it. */
  readonly declaration: Node;
  readonly statement?: ImportDeclaration | undefined;
  readonly references: Reference[];
}

/** A use of a name as a value. */
export interface Reference {
  readonly node: IdentifierReference;
  readonly name: string;
  /** Undefined if the program does not declare the name. */
  readonly binding: Binding | undefined;
}

/** A program as a tree with resolved names. */
export interface Syntax {
  readonly text: string;
  readonly statements: readonly Node[];
  readonly references: readonly Reference[];
  readonly bindings: readonly Binding[];
  readonly imports: readonly ImportDeclaration[];
  /** Every call and dynamic import, in order. */
  readonly calls: readonly Node[];
  /** Every node except names and types. */
  readonly nodes: () => Iterable<Node>;
  readonly parentOf: (node: Node) => Node | undefined;
  readonly bindingOf: (node: Node) => Binding | undefined;
}
