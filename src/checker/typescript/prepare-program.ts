// Turns TypeScript programs and adapters into modules that a sandbox runs: strips types, resolves imports, wraps a program in an async function.
import { posix } from "node:path";
import { type ImportDeclaration, type ParseResult, type Program, parseSync } from "oxc-parser";
import {
  applyEdits,
  type Edit,
  type ModuleText,
  type PreparedModule,
  type PreparedProgram,
  type ProgramImport,
  programError,
  stripFence,
  toModulePath,
  toPosition,
} from "../program.js";
import { namesOf, readModuleName } from "./read-node.js";
import { readSyntax } from "./read-syntax.js";
import { openPlaces, type PlaceOf, stripTypes } from "./strip-types.js";

interface PrepareTypeScriptOptions {
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

interface LiftedImport extends ProgramImport {
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

const toImport = (node: ImportDeclaration, code: string, folder?: string): Omit<LiftedImport, "position"> => {
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
const liftDynamicImports = (
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
