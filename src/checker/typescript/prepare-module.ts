// Turns a TypeScript adapter into the module that a sandbox links: strips types and resolves every import to its library file.
import { posix } from "node:path";
import { parseSync } from "oxc-parser";
import { type ModuleText, type PreparedModule, type ProgramImport, toModulePath } from "../program.js";
import { programError, toPosition } from "../program-error.js";
import { type LiftedImport, liftDynamicImports, toImport } from "./prepare-program.js";
import { readModuleName } from "./read-node.js";
import { readSyntax } from "./read-syntax.js";
import { applyEdits, type Edit, openPlaces, type PlaceOf, stripTypes } from "./strip-types.js";

/** Parses and rewrites an adapter without running it. Throws PROGRAM_INVALID with file, line and column. */
export const prepareModule = ({ path, file, source }: ModuleText): PreparedModule => {
  const script = inFile(file, () =>
    stripTypes(source, { removedLines: 0, keepsImports: false, hasReturn: false, name: `"${file}"` }),
  );
  refuseTopLevelAwait(file, source);
  const placeOf = openPlaces(script, { text: source, removedLines: 0, file });
  const { imports, edits } = resolveImports(script.code, posix.dirname(path), placeOf);
  const head = imports.flatMap(({ text }) => (text.startsWith("import * as $module") ? [text] : [])).join("");
  return {
    path,
    file,
    text: source,
    code: `${head}\n${applyEdits(script.code, edits)}`,
    imports,
    words: new Set(script.code.match(/[\p{ID_Start}$_][\p{ID_Continue}$]*/gu)),
    declares: [],
    removedLines: 0,
    mappings: script.map.mappings,
  };
};

/** Adds the file to an error that only has line numbers. */
const inFile = <Result>(file: string, work: () => Result): Result => {
  try {
    return work();
  } catch (thrown) {
    if (!(thrown instanceof Error) || !("details" in thrown)) throw thrown;
    throw programError(
      thrown.message,
      { ...(thrown.details as { line: number; column: number; excerpt: string }), file },
      "Correct that file.",
    );
  }
};

/** Engines link modules synchronously, so a top-level await would never resolve. */
const refuseTopLevelAwait = (file: string, source: string): void => {
  const syntax = readSyntax(source);
  const waiting = [...syntax.nodes()].find((node) => {
    if (node.type !== "AwaitExpression" && !(node.type === "ForOfStatement" && node.await)) return false;
    return syntax.functionAround(node) === undefined;
  });
  if (waiting === undefined) return;
  throw programError(
    `Cannot await at the top level of "${file}": it is a module, use await only inside its functions`,
    { ...toPosition(source, waiting.start), file },
    "Move it into an async function that the program calls.",
  );
};

const resolveImports = (
  code: string,
  folder: string,
  placeOf: PlaceOf,
): { imports: readonly (ProgramImport & { readonly text: string })[]; edits: readonly Edit[] } => {
  const { program, module } = parseSync("module.js", code, { sourceType: "module" });
  const imports: LiftedImport[] = [];
  const edits: Edit[] = [];
  const lead = (source: { start: number; end: number; value: string }): string => {
    const path = toModulePath(source.value, folder);
    edits.push({ start: source.start, end: source.end, text: JSON.stringify(path) });
    return path;
  };
  for (const node of program.body) {
    if (node.type === "ImportDeclaration") {
      lead(node.source);
      imports.push({ ...toImport(node, code, folder), position: placeOf(node.start) });
    } else if (
      node.type === "ExportAllDeclaration" ||
      (node.type === "ExportNamedDeclaration" && node.source !== null)
    ) {
      const source = node.source as { start: number; end: number; value: string };
      const names =
        node.type === "ExportAllDeclaration"
          ? "all"
          : node.specifiers.map(({ local }) => readModuleName(local));
      const path = lead(source);
      imports.push({ specifier: source.value, path, names, position: placeOf(node.start), text: "" });
    }
  }
  for (const { statement, edit } of liftDynamicImports(module, code, imports.length, folder)) {
    imports.push({ ...statement, position: placeOf(edit.start) });
    edits.push(edit);
  }
  return { imports, edits };
};
