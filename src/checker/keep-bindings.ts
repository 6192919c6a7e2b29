// Lets what a program declares at its top level live on in its session: each name becomes a live global.
import type { Program } from "oxc-parser";
import { namesOf } from "./syntax/names-of.js";

export interface Keeper {
  readonly name: string;
  /** Where in the code the names have their values. */
  readonly at: number;
  /** The text that makes them global. */
  readonly text: string;
}

/** The statements to insert, one after each declaration; imports are kept at the start. */
export const keepBindings = (program: Program): readonly Keeper[] =>
  program.body.flatMap((node) => {
    const declaration =
      node.type === "ExportNamedDeclaration" && node.declaration !== null ? node.declaration : node;
    if (declaration.type === "ImportDeclaration") {
      return toKeeper(
        0,
        declaration.specifiers.map(({ local }) => local.name),
        false,
      );
    }
    if (declaration.type === "VariableDeclaration") {
      return toKeeper(
        declaration.end,
        declaration.declarations.flatMap(({ id }) => namesOf(id)),
        declaration.kind !== "const",
      );
    }
    if (
      (declaration.type === "FunctionDeclaration" || declaration.type === "ClassDeclaration") &&
      declaration.id != null
    ) {
      return toKeeper(declaration.end, [declaration.id.name], true);
    }
    return [];
  });

/** An accessor instead of a copy: later changes on either side are seen on the other. */
const toKeeper = (at: number, names: readonly string[], isMutable: boolean): readonly Keeper[] =>
  names.map((name) => ({
    name,
    at,
    text: `;Object.defineProperty(globalThis, ${JSON.stringify(name)}, { get: () => ${name}, ${isMutable ? `set: ($) => { ${name} = $; }, ` : ""}configurable: true });`,
  }));
