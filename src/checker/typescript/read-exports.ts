// Reads the exports of a module: its own names and the modules it re-exports.
import type { Node } from "oxc-parser";
import { type Library, readImport } from "../rules/entity.js";
import type { ToolUses } from "../rules/find-tool-uses.js";
import { namesOf, readModuleName } from "./read-node.js";
import type { Syntax } from "./read-syntax.js";

export interface ModuleExports {
  readonly names: ReadonlySet<string>;
  /** Specifiers of `export * from`. */
  readonly passedOn: readonly string[];
}

/** One `export … from`: the names it takes, by their original name; "all" for a star. */
export interface Reexport {
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
