// Makes top-level declarations outlive their program: each name becomes a live global of the session.
import type { Program } from "oxc-parser";
import { namesOf } from "./syntax/read-node.js";

export interface ExposedBinding {
  readonly name: string;
  /** Where in the code the names have their values. */
  readonly at: number;
  /** The statement that makes them global. */
  readonly text: string;
}

/** The statements to insert, one after each declaration. Imports are stored at the start. */
export const exposeBindings = (program: Program): readonly ExposedBinding[] =>
  program.body.flatMap((node) => {
    const declaration =
      node.type === "ExportNamedDeclaration" && node.declaration !== null ? node.declaration : node;
    if (declaration.type === "ImportDeclaration") {
      return toExposed(
        0,
        declaration.specifiers.map(({ local }) => local.name),
        false,
      );
    }
    if (declaration.type === "VariableDeclaration") {
      return toExposed(
        declaration.end,
        declaration.declarations.flatMap(({ id }) => namesOf(id)),
        declaration.kind !== "const",
      );
    }
    if (
      (declaration.type === "FunctionDeclaration" || declaration.type === "ClassDeclaration") &&
      declaration.id != null
    ) {
      return toExposed(declaration.end, [declaration.id.name], true);
    }
    return [];
  });

/** An accessor instead of a copy, so that both sides see later changes. */
const toExposed = (at: number, names: readonly string[], isMutable: boolean): readonly ExposedBinding[] =>
  names.map((name) => ({
    name,
    at,
    text: `;Object.defineProperty(globalThis, ${JSON.stringify(name)}, { get: () => ${name}, ${isMutable ? `set: ($) => { ${name} = $; }, ` : ""}configurable: true });`,
  }));
