// Parses a program and resolves its names. Positions are those of the text.
import { type IdentifierReference, type ImportDeclaration, type Node, parseSync } from "oxc-parser";
import { collectNames } from "./collect-names.js";
import { isFunction } from "./read-node.js";

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
  /** The function that a node belongs to; undefined at the top level. */
  readonly functionAround: (node: Node) => Node | undefined;
  /** The values of a function's `return` statements; undefined for one without a value. */
  readonly returnsOf: (owner: Node) => readonly (Node | undefined)[];
}

/** The text was parsed before and has no syntax error. A top-level `return` is allowed. */
export const readSyntax = (text: string): Syntax => {
  const { program } = parseSync("program.ts", text, {
    lang: "ts",
    sourceType: "module",
    preserveParens: false,
  });
  const { references, bindings, imports, calls, parents } = collectNames(program);
  const byNode = new Map<Node, Binding | undefined>(references.map(({ node, binding }) => [node, binding]));
  const functionAround = (node: Node): Node | undefined => {
    let holder = parents.get(node);
    while (holder !== undefined && !isFunction(holder)) holder = parents.get(holder);
    return holder;
  };
  const listReturns = (): ReadonlyMap<Node | undefined, readonly Node[]> => {
    const statements = [...parents.keys()].filter(({ type }) => type === "ReturnStatement");
    return Map.groupBy(statements, functionAround);
  };
  let returns: ReturnType<typeof listReturns> | undefined;
  return {
    text,
    statements: program.body,
    references,
    bindings,
    imports,
    calls,
    nodes: () => parents.keys(),
    parentOf: (node) => parents.get(node),
    bindingOf: (node) => byNode.get(node),
    functionAround,
    returnsOf: (owner) => {
      returns ??= listReturns();
      return (returns.get(owner) ?? []).map((node) =>
        node.type === "ReturnStatement" ? (node.argument ?? undefined) : undefined,
      );
    },
  };
};
