// Parses a program or a module, and resolves its names and exports. Positions are those of the text.
import { type IdentifierReference, type ImportDeclaration, type Node, parseSync } from "oxc-parser";
import { type Library, readImport } from "../rules/entity.js";
import type { ToolUses } from "../rules/find-tool-uses.js";
import { collectNames } from "./collect-names.js";
import { isFunction, namesOf, readModuleName } from "./read-node.js";

export type BindingKind = "import" | "const" | "let" | "var" | "function" | "class" | "parameter" | "other";

/** A name that the program declares. */
export interface Binding {
  readonly name: string;
  readonly kind: BindingKind;
  /** The declared identifier. */
  readonly node: Node;
  /** The declarator, import specifier, function, class or parameter that declares it. */
  readonly declaration: Node;
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

interface ModuleExports {
  readonly names: ReadonlySet<string>;
  /** Specifiers of `export * from`. */
  readonly passedOn: readonly string[];
}

/** One `export … from`: the names it takes, by their original name; "all" for a star. */
interface Reexport {
  readonly specifier: string;
  readonly source: { readonly start: number; readonly end: number };
  readonly names: readonly { readonly name: string; readonly start: number }[] | "all";
}

const declaredNames = (node: Node): readonly string[] => {
  if (node.type === "VariableDeclaration") return node.declarations.flatMap(({ id }) => namesOf(id));
  const { id } = node as { readonly id?: { readonly name?: string | undefined } | null | undefined };
  return id?.name === undefined ? [] : [id.name];
};

export const readExports = ({ statements }: Syntax): ModuleExports => {
  const names = new Set<string>();
  const passedOn: string[] = [];
  for (const node of statements) {
    if (node.type === "ExportDefaultDeclaration") names.add("default");
    else if (node.type === "ExportAllDeclaration") {
      if (node.exported === null) passedOn.push(node.source.value);
      else names.add(readModuleName(node.exported));
    } else if (node.type === "ExportNamedDeclaration") {
      for (const { exported } of node.specifiers) names.add(readModuleName(exported));
      if (node.declaration !== null) for (const name of declaredNames(node.declaration)) names.add(name);
    }
  }
  return { names, passedOn };
};

export const readReexports = ({ statements }: Syntax): readonly Reexport[] =>
  statements.flatMap((node): readonly Reexport[] => {
    if (node.type === "ExportAllDeclaration" && node.exportKind !== "type")
      return [{ specifier: node.source.value, source: node.source, names: "all" }];
    if (node.type !== "ExportNamedDeclaration" || node.source === null || node.exportKind === "type")
      return [];
    const names = node.specifiers
      .filter(({ exportKind }) => exportKind !== "type")
      .map(({ local, start }) => ({ name: readModuleName(local), start }));
    return [{ specifier: node.source.value, source: node.source, names }];
  });

/** The tools that an adapter re-exports: importers may call them in any way. */
export const findExportedUses = (
  syntax: Syntax,
  library: Library,
): Pick<ToolUses, "values" | "hasDynamicCalls"> => {
  const entities = readReexports(syntax).flatMap(({ specifier: module, names }) =>
    (names === "all" ? [{ name: undefined }] : names).flatMap(
      ({ name }) => readImport(library, { kind: "import", module, name }) ?? [],
    ),
  );
  return {
    values: entities.flatMap((entity) =>
      entity.kind === "tool" || entity.kind === "module"
        ? [{ server: entity.server, tool: entity.tool }]
        : [],
    ),
    hasDynamicCalls: entities.some(({ kind }) => !/^(?:tool|module)$|^unknown-/.test(kind)),
  };
};
