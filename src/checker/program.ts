// The text of a program before it runs: its fence, its imports, its positions, the module that the sandbox receives, and the function of a skill.
import { posix } from "node:path";
import { CoordinatorError, type JsonObject } from "../contracts/index.js";

/** One import of a program. `names` are the imported names; "all" for a namespace or a whole module. */
export interface ProgramImport {
  /** The specifier as written. */
  readonly specifier: string;
  /** The normalised path: `servers/github`, `servers/github/createIssue`. */
  readonly path: string;
  readonly names: readonly string[] | "all";
  /** Position in the submitted text. */
  readonly position?: ProgramPosition | undefined;
}

export interface PreparedProgram {
  /** The program without a fence. */
  readonly text: string;
  /** In TypeScript, a JavaScript module whose default export is the program as an async function. In Python, the source. */
  readonly code: string;
  readonly imports: readonly ProgramImport[];
  /** Every word that could be an identifier. Globals are selected from these. */
  readonly words: ReadonlySet<string>;
  /** Names it declares for the next program of the session. In Python, possibly more. */
  readonly declares: readonly string[];
  /** Number of fence lines above the program. */
  readonly removedLines: number;
  /** The source map of `code` from its second line on; absent if `code` is the source itself. */
  readonly mappings?: string | undefined;
}

/** A hand-written library module as stored in its file. */
export interface ModuleText {
  /** Import path: `servers/github/triage`. */
  readonly path: string;
  /** File name in messages: `servers/github/triage.ts`. */
  readonly file: string;
  readonly source: string;
}

/** A hand-written library module, ready to be linked with a program. */
export interface PreparedModule extends PreparedProgram {
  readonly path: string;
  readonly file: string;
}

/** The line of `code` that holds the first line of the source, if there is a source map. */
const firstLine = 2;

/** Maps a position in `code` to one in the submitted text. */
export const toSource = (
  program: PreparedProgram | PreparedModule,
  line: number,
  column: number,
): ProgramPosition | undefined => {
  const { text, removedLines, mappings } = program;
  const found =
    mappings === undefined ? { line, column } : findOriginal(mappings, line - firstLine, column - 1);
  if (found === undefined) return undefined;
  return {
    ...("file" in program ? { file: program.file } : {}),
    line: found.line + removedLines,
    column: found.column,
    excerpt: openLines(text).excerpt(found.line),
  };
};

/** Normalises an import path: `./servers/github/createIssue.ts`, `../servers/github/index.js`, `servers/github` → the path of a library file. */
export const toModulePath = (specifier: string, folder?: string): string =>
  (folder === undefined || !isBeside(specifier) ? specifier : posix.join(folder, specifier))
    .replace(/^(\.{1,2}\/)+/, "")
    .replace(/^\/+/, "")
    .replace(/\.(ts|js|mjs|mts)$/, "")
    .replace(/\/index$/, "");

/** Whether an import is relative to its file. A path from the library root means the same everywhere. */
const isBeside = (specifier: string): boolean =>
  /^\.{1,2}\//.test(specifier) && !/^(?:\.{1,2}\/)+(?:servers|skills)\//.test(specifier);

const digits = new Map(
  [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"].map((one, at) => [
    one.charCodeAt(0),
    at,
  ]),
);
const comma = ",".charCodeAt(0);
const semicolon = ";".charCodeAt(0);

interface Original {
  /** Both start at 1. */
  readonly line: number;
  readonly column: number;
}

/**
 * The last mapping at or before a generated position; `line` and `column` start at 0. This runs on the host's thread, which
 * Node's own SourceMap would block: it decodes the whole map first, 0.5 s for the largest program.
 */
export const findOriginal = (mappings: string, line: number, column: number): Original | undefined => {
  // Generated column, source, original line, original column: each is relative to the previous one.
  const fields = [0, 0, 0, 0, 0];
  let found: Original | undefined;
  let generatedLine = 0;
  let field = 0;
  let value = 0;
  let shift = 0;
  for (let at = 0; at <= mappings.length; at++) {
    const character = at === mappings.length ? semicolon : mappings.charCodeAt(at);
    if (character !== comma && character !== semicolon) {
      const digit = digits.get(character);
      if (digit === undefined) return undefined;
      value += (digit & 31) << shift;
      shift += 5;
      if ((digit & 32) !== 0) continue;
      if (field < fields.length)
        fields[field] = (fields[field] ?? 0) + (value & 1 ? -(value >> 1) : value >> 1);
      field++;
      value = 0;
      shift = 0;
      continue;
    }
    const [generatedColumn = 0, , originalLine = 0, originalColumn = 0] = fields;
    if (generatedLine === line && generatedColumn > column) return found;
    if (field >= 4) found = { line: originalLine + 1, column: originalColumn + 1 };
    field = 0;
    if (character === comma) continue;
    if (++generatedLine > line) return found;
    fields[0] = 0;
  }
  return found;
};

export interface BareProgram {
  readonly code: string;
  /** Lines removed above the program, to be added to every reported position. */
  readonly removedLines: number;
}

/** The fence marker of a line: three or more of "`" or "~". */
const readMarks = (line: string): string => {
  const mark = line.charAt(0);
  if (mark !== "`" && mark !== "~") return "";
  let length = 1;
  while (line.charAt(length) === mark) length++;
  return length < 3 ? "" : line.slice(0, length);
};

/** The program inside one Markdown fence, or the text as it is. */
export const stripFence = (text: string): BareProgram => {
  const bare = { code: text, removedLines: 0 };
  const inner = text.trim();
  const marks = readMarks(inner);
  const firstBreak = inner.indexOf("\n");
  const lastBreak = inner.lastIndexOf("\n");
  if (marks === "" || firstBreak < 0 || inner.slice(marks.length, firstBreak).includes("`")) return bare;
  if (inner.slice(lastBreak + 1).trim() !== marks) return bare;
  const above = text.length - text.trimStart().length;
  const removedLines = text.slice(0, above).split("\n").length;
  return { code: inner.slice(firstBreak + 1, Math.max(firstBreak + 1, lastBreak)), removedLines };
};

/** A part of a program, as offsets. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Edits must not overlap. An insertion goes before a replacement at the same offset. */
export const applyEdits = (code: string, edits: readonly Edit[]): string => {
  const pieces: string[] = [];
  let from = 0;
  for (const { start, end, text } of [...edits].sort((a, b) => a.start - b.start || a.end - b.end)) {
    // Keep line breaks, so that positions stay valid.
    const breaks = code.slice(start, end).replace(/[^\n]/g, "");
    pieces.push(code.slice(from, start), text, breaks);
    from = end;
  }
  return pieces.join("") + code.slice(from);
};

export interface ProgramPosition {
  /** The adapter file it is in; absent if it is in the program. */
  readonly file?: string | undefined;
  readonly line: number;
  readonly column: number;
  readonly excerpt: string;
}

const maxExcerpt = 200;

interface Lines {
  /** The line and column of an offset, both starting at 1. */
  readonly find: (offset: number) => { readonly line: number; readonly column: number };
  /** The start of a line, trimmed. */
  readonly excerpt: (line: number) => string;
}

/** Line positions of a text, computed once for many lookups. */
export const openLines = (text: string): Lines => {
  const starts = [0];
  for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", end + 1)) starts.push(end + 1);
  return {
    find: (offset) => {
      let low = 0;
      let high = starts.length;
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if ((starts[middle] ?? 0) <= offset) low = middle;
        else high = middle;
      }
      return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
    },
    excerpt: (line) => {
      const start = starts[line - 1];
      return start === undefined ? "" : text.slice(start, starts[line]).trim().slice(0, maxExcerpt);
    },
  };
};

/** The position of an offset in a text, with its source line. */
export const toPosition = (text: string, offset: number): ProgramPosition => {
  const lines = openLines(text);
  const place = lines.find(offset);
  return { ...place, excerpt: lines.excerpt(place.line) };
};

/** PROGRAM_INVALID with the position in `details`. */
export const programError = (message: string, position?: ProgramPosition, hint?: string): CoordinatorError =>
  new CoordinatorError("PROGRAM_INVALID", message, {
    details: position,
    hint,
  });

/** A text that the checker gave up on because parsing it took too much stack, time or memory. */
export const tooComplex = (name = "the program"): CoordinatorError =>
  programError(
    `Cannot check ${name}: it is nested too deeply or too complex`,
    undefined,
    "Split long expressions and deep nesting into several statements or functions.",
  );

export interface SkillFunction {
  /** Its name in the module; `isDefault` if it is the default export. */
  readonly name: string;
  readonly isDefault: boolean;
  readonly isAsync: boolean;
  /** One object of named values, or positional values in the order of the schema's properties. */
  readonly takes: "object" | "values";
  readonly parameters: JsonObject;
  /** One line, as written in the module. */
  readonly signature: string;
  /** Its doc comment. */
  readonly description: string;
}

/** `research-pipeline` → `researchPipeline`, in Python `research_pipeline`. */
export const toFunctionName = (skill: string, language: "typescript" | "python"): string => {
  const words = skill.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const name =
    language === "python"
      ? words.join("_")
      : words.map((word, at) => (at === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1))).join("");
  return /^\d/.test(name) ? `_${name}` : name;
};

/** Words separated by white space. */
export const toWords = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

export const toOneLine = (text: string): string => text.replace(/\s+/g, " ").trim();
