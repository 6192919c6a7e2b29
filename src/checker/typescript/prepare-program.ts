// Turns a TypeScript program into the module that a sandbox runs: strips types, hoists imports, wraps the rest in an async function.
import { type ImportDeclaration, type ParseResult, type Program, parseSync } from "oxc-parser";
import { type PreparedProgram, type ProgramImport, stripFence, toModulePath } from "../program.js";
import { programError } from "../program-error.js";
import { namesOf, readModuleName } from "./read-node.js";
import { applyEdits, type Edit, openPlaces, type PlaceOf, stripTypes } from "./strip-types.js";

export interface PrepareTypeScriptOptions {
  /** Top-level declarations stay available to the next program of the session. */
  readonly isSession?: boolean | undefined;
}

/** Parses and rewrites a program without running it. Throws PROGRAM_INVALID with line and column. */
export const prepareTypeScript = (given: string, options: PrepareTypeScriptOptions = {}): PreparedProgram => {
  const { code: text, removedLines } = stripFence(given);
  const script = stripTypes(text, {
    removedLines,
    keepsImports: options.isSession === true,
    hasReturn: true,
  });
  const parsed = parseSync("program.js", script.code, { sourceType: "module" });
  const lifted = liftModule(parsed, script.code, openPlaces(script, { text, removedLines }));
  const exposed = options.isSession === true ? exposeBindings(parsed.program) : [];
  const body = applyEdits(script.code, [
    ...lifted.edits,
    ...exposed.map(({ at, text: statement }) => ({ start: at, end: at, text: statement })),
  ]);
  const head = lifted.imports.map((statement) => statement.text).join("");
  return {
    text,
    code: `${head}export default async function program() {\n${body}\n${lifted.ending}}`,
    imports: lifted.imports,
    words: new Set(script.code.match(/[\p{ID_Start}$_][\p{ID_Continue}$]*/gu)),
    declares: [...new Set(exposed.map(({ name }) => name))],
    removedLines,
    mappings: script.map.mappings,
  };
};

export interface LiftedImport extends ProgramImport {
  /** The statement as it appears at the top of the module. */
  readonly text: string;
}

/** Imports move above the function. Exports lose their keyword, and a default export becomes the program's value. */
const liftModule = (
  { program, module }: ParseResult,
  code: string,
  placeOf: PlaceOf,
): { imports: LiftedImport[]; edits: Edit[]; ending: string } => {
  const imports: LiftedImport[] = [];
  const edits: Edit[] = [];
  let ending = "";
  for (const node of program.body) {
    if (node.type === "ImportDeclaration") {
      imports.push({ ...toImport(node, code), position: placeOf(node.start) });
      edits.push({ start: node.start, end: node.end, text: "" });
    } else if (node.type === "ExportNamedDeclaration" && node.source === null) {
      edits.push({ start: node.start, end: node.declaration?.start ?? node.end, text: "" });
    } else if (node.type === "ExportDefaultDeclaration") {
      edits.push({ start: node.start, end: node.declaration.start, text: "const $default = " });
      ending = ';return typeof $default === "function" ? $default() : $default;';
    } else if (node.type === "ExportNamedDeclaration" || node.type === "ExportAllDeclaration") {
      throw programError(
        "Cannot re-export from another module: a program cannot be imported",
        placeOf(node.start),
      );
    }
  }
  for (const { statement, edit } of liftDynamicImports(module, code, imports.length)) {
    imports.push({ ...statement, position: placeOf(edit.start) });
    edits.push(edit);
  }
  return { imports, edits, ending };
};

export const toImport = (
  node: ImportDeclaration,
  code: string,
  folder?: string,
): Omit<LiftedImport, "position"> => {
  const path = toModulePath(node.source.value, folder);
  const names: string[] = [];
  let isAll = node.specifiers.length === 0;
  for (const specifier of node.specifiers) {
    if (specifier.type === "ImportNamespaceSpecifier") isAll = true;
    else if (specifier.type === "ImportDefaultSpecifier") names.push("default");
    else if (specifier.type === "ImportSpecifier") {
      names.push(readModuleName(specifier.imported));
    }
  }
  const clause = code.slice(node.start, node.source.start);
  const text = `${clause}${JSON.stringify(path)};`.replaceAll("\n", " ");
  return { specifier: node.source.value, path, names: isAll ? "all" : names, text };
};

/** Engines have no dynamic import, so one with a literal path is resolved like a static one. */
export const liftDynamicImports = (
  module: ParseResult["module"],
  code: string,
  first: number,
  folder?: string,
): readonly { readonly statement: Omit<LiftedImport, "position">; readonly edit: Edit }[] =>
  module.dynamicImports
    .map(({ start, end, moduleRequest }) => ({
      start,
      end,
      written: code.slice(moduleRequest.start, moduleRequest.end),
    }))
    .filter(({ written }) => /^(["'])[^"'\\\n]*\1$/.test(written))
    .map(({ start, end, written }, at) => {
      const specifier = written.slice(1, -1);
      const path = toModulePath(specifier, folder);
      const name = `$module${first + at}`;
      return {
        statement: {
          specifier,
          path,
          names: "all",
          text: `import * as ${name} from ${JSON.stringify(path)};`,
        },
        edit: { start, end, text: `Promise.resolve(${name})` },
      };
    });

interface ExposedBinding {
  readonly name: string;
  /** Where in the code the names have their values. */
  readonly at: number;
  /** The statement that makes them global. */
  readonly text: string;
}

/** Statements that make top-level names live globals of the session: after each declaration, for imports at the start. */
const exposeBindings = (program: Program): readonly ExposedBinding[] =>
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
