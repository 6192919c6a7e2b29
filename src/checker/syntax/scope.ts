// The words of a program's names: where each is declared, where it is used.
import type { IdentifierReference, ImportDeclaration, Node } from "oxc-parser";

export type BindingKind = "import" | "const" | "let" | "var" | "function" | "class" | "parameter" | "other";

/** A name that the program declares. */
export interface Binding {
  readonly name: string;
  readonly kind: BindingKind;
  /** The identifier that is declared. */
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
  /** Undefined when the program does not declare the name. */
  readonly binding: Binding | undefined;
}

/** A program's text as a tree, with its names resolved. */
export interface Syntax {
  readonly text: string;
  readonly statements: readonly Node[];
  readonly references: readonly Reference[];
  readonly bindings: readonly Binding[];
  readonly imports: readonly ImportDeclaration[];
  /** Every node that is a call or a dynamic import, in order. */
  readonly calls: readonly Node[];
  /** Every node that is more than a name or a type. */
  readonly nodes: () => Iterable<Node>;
  readonly parentOf: (node: Node) => Node | undefined;
  readonly bindingOf: (node: Node) => Binding | undefined;
}
