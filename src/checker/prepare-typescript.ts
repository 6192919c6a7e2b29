// Turns an agent's TypeScript into the module a sandbox runs: types stripped, imports lifted, the rest in one async function.
import { SourceMap } from "node:module";
import type { ImportDeclaration, ParseResult } from "oxc-parser";
import { parseSync } from "oxc-parser";
import { transformSync } from "oxc-transform";
import { keepBindings } from "./keep-bindings.js";
import { toModulePath } from "./module-path.js";
import type { PreparedProgram, ProgramImport } from "./program.js";
import { programError, toPosition } from "./program-error.js";
import { stripFence } from "./strip-fence.js";

const returnOutside = "A 'return' statement can only be used within a function body.";
/** The line of the module on which the program's own first line stands. */
const firstLine = 2;

export interface PrepareTypeScriptOptions {
  /** What it declares at its top level stays for the next program of its session. */
  readonly isSession?: boolean;
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Parses and rewrites a program. Throws PROGRAM_INVALID with its line and column; nothing is run. */
export const prepareTypeScript = (given: string, options: PrepareTypeScriptOptions = {}): PreparedProgram => {
  const { code: text, removedLines } = stripFence(given);
  const script = stripTypes(text, removedLines, options.isSession === true);
  const toSource: PreparedProgram["toSource"] = (line, column) => {
    const entry = new SourceMap(script.map).findEntry(line - firstLine, column - 1);
    if (!("originalLine" in entry)) return undefined;
    const excerpt = (text.split("\n")[entry.originalLine] ?? "").trim().slice(0, 200);
    return { line: entry.originalLine + 1 + removedLines, column: entry.originalColumn + 1, excerpt };
  };
  const parsed = parseSync("program.js", script.code, { sourceType: "module" });
  const lifted = liftModule(parsed, script.code, toSource);
  const kept = options.isSession === true ? keepBindings(parsed.program) : [];
  const body = applyEdits(script.code, [
    ...lifted.edits,
    ...kept.map(({ at, text: keeper }) => ({ start: at, end: at, text: keeper })),
  ]);
  const head = lifted.imports.map((statement) => statement.text).join("");
  return {
    text,
    code: `${head}export default async function program() {\n${body}\n${lifted.ending}}`,
    imports: lifted.imports,
    words: new Set(script.code.match(/[\p{ID_Start}$_][\p{ID_Continue}$]*/gu)),
    toSource,
  };
};

const stripTypes = (
  text: string,
  removedLines: number,
  keepsImports: boolean,
): { code: string; map: ConstructorParameters<typeof SourceMap>[0] } => {
  const { code, map, errors } = transformSync("program.ts", text, {
    lang: "ts",
    sourceType: "module",
    target: "esnext",
    sourcemap: true,
    // An import that this program does not use may be meant for the next one of its session.
    typescript: { onlyRemoveTypeImports: keepsImports },
  });
  const error = errors.find(({ message }) => message !== returnOutside);
  if (error !== undefined) {
    const place = toPosition(text, error.labels[0]?.start ?? 0);
    const position = { ...place, line: place.line + removedLines };
    throw programError(
      `Cannot parse the program: ${error.message.replace(/\.$/, "")}`,
      position,
      error.helpMessage ?? undefined,
    );
  }
  return { code, map: map as unknown as ConstructorParameters<typeof SourceMap>[0] };
};

interface LiftedImport extends ProgramImport {
  /** The statement as it stands at the top of the module. */
  readonly text: string;
}

/** Imports go above the function; exports lose their keyword, and a default export becomes the program's value. */
const liftModule = (
  { program, module }: ParseResult,
  code: string,
  toSource: PreparedProgram["toSource"],
): { imports: LiftedImport[]; edits: Edit[]; ending: string } => {
  const imports: LiftedImport[] = [];
  const edits: Edit[] = [];
  let ending = "";
  const positionOf = (offset: number) => () => {
    const { line, column } = toPosition(code, offset);
    return toSource(line + firstLine - 1, column);
  };
  for (const node of program.body) {
    if (node.type === "ImportDeclaration") {
      imports.push({ ...toImport(node, code), position: positionOf(node.start) });
      edits.push({ start: node.start, end: node.end, text: "" });
    } else if (node.type === "ExportNamedDeclaration" && node.source === null) {
      edits.push({ start: node.start, end: node.declaration?.start ?? node.end, text: "" });
    } else if (node.type === "ExportDefaultDeclaration") {
      edits.push({ start: node.start, end: node.declaration.start, text: "const $default = " });
      ending = ';return typeof $default === "function" ? $default() : $default;';
    } else if (node.type === "ExportNamedDeclaration" || node.type === "ExportAllDeclaration") {
      throw programError(
        "Cannot re-export from another module: nobody imports a program",
        positionOf(node.start)(),
      );
    }
  }
  // Engines have no dynamic import: one of a literal is resolved like any other.
  for (const { start, end, moduleRequest } of module.dynamicImports) {
    const written = code.slice(moduleRequest.start, moduleRequest.end);
    if (!/^(["'])[^"'\\\n]*\1$/.test(written)) continue;
    const specifier = written.slice(1, -1);
    const path = toModulePath(specifier);
    const name = `$module${imports.length}`;
    imports.push({
      specifier,
      path,
      names: "all",
      position: positionOf(start),
      text: `import * as ${name} from ${JSON.stringify(path)};`,
    });
    edits.push({ start, end, text: `Promise.resolve(${name})` });
  }
  return { imports, edits, ending };
};

const toImport = (node: ImportDeclaration, code: string): Omit<LiftedImport, "position"> => {
  const path = toModulePath(node.source.value);
  const names: string[] = [];
  let isAll = node.specifiers.length === 0;
  for (const specifier of node.specifiers) {
    if (specifier.type === "ImportNamespaceSpecifier") isAll = true;
    else if (specifier.type === "ImportDefaultSpecifier") names.push("default");
    else if (specifier.type === "ImportSpecifier") {
      names.push(
        specifier.imported.type === "Identifier" ? specifier.imported.name : specifier.imported.value,
      );
    }
  }
  const clause = code.slice(node.start, node.source.start);
  const text = `${clause}${JSON.stringify(path)};`.replaceAll("\n", " ");
  return { specifier: node.source.value, path, names: isAll ? "all" : names, text };
};

const applyEdits = (code: string, edits: readonly Edit[]): string => {
  let result = code;
  for (const { start, end, text } of [...edits].sort((a, b) => b.start - a.start || b.end - a.end)) {
    // Line breaks stay, so that positions do.
    const breaks = result.slice(start, end).replace(/[^\n]/g, "");
    result = result.slice(0, start) + text + breaks + result.slice(end);
  }
  return result;
};
