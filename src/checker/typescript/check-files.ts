// Checks what a program imports from the workspace modules, for example that it uses no synchronous file functions.
import type { ImportDeclaration } from "oxc-parser";
import { workspaceModules } from "../../contracts/index.js";
import type { Finding } from "../check.js";
import { quote } from "../diagnostics.js";
import type { Context } from "./dialect.js";
import { readKey } from "./read-node.js";

/** The problem with the names of one import; undefined if its module is not a workspace module. */
export const checkFiles = (
  context: Context,
  statement: ImportDeclaration,
): readonly Finding[] | undefined => {
  const specifier = statement.source.value;
  const names = workspaceModules.get(context.known.toPath(specifier));
  if (names === undefined) return undefined;
  const isThere = (name: string): boolean => name === "default" || names.includes(name);
  return statement.specifiers.flatMap((one) => {
    if (one.type === "ImportSpecifier") {
      const name = one.imported.type === "Identifier" ? one.imported.name : one.imported.value;
      return isThere(name) ? [] : [toFinding(names, specifier, name, one.start)];
    }
    // The default export of "workspace" is an object with functions of its own.
    if (one.type === "ImportDefaultSpecifier" && specifier === "workspace") return [];
    const references =
      context.syntax.bindings.find(({ node }) => node === one.local)?.references.map(({ node }) => node) ??
      [];
    return references.flatMap((node) => {
      const holder = context.syntax.parentOf(node);
      const key = holder?.type === "MemberExpression" && holder.object === node ? readKey(holder) : undefined;
      return key === undefined || isThere(key) ? [] : [toFinding(names, specifier, key, node.start)];
    });
  });
};

const globalName = "fs";

/** The same for a global `fs`. */
export const checkGlobalFiles = ({ syntax, known, request }: Context): readonly Finding[] => {
  // An earlier program of the session may have declared it.
  if (known.isGlobal(globalName) || request.isSession) return [];
  const module = "fs/promises";
  const names = workspaceModules.get(module) ?? [];
  return syntax.references.flatMap(({ name, binding, node }) => {
    if (name !== globalName || binding !== undefined) return [];
    const holder = syntax.parentOf(node);
    const key = holder?.type === "MemberExpression" && holder.object === node ? readKey(holder) : undefined;
    return key === undefined || names.includes(key) ? [] : [toFinding(names, module, key, node.start)];
  });
};

const toFinding = (names: readonly string[], specifier: string, name: string, offset: number): Finding => ({
  severity: "error",
  code: "IMPORT_UNKNOWN",
  offset,
  message: `Cannot use ${quote(name)} of ${quote(specifier)}: the module does not export it here`,
  hint: `It has: ${names.join(", ")}. Files are read and written with await: import fs from "fs/promises"`,
});
