// Strips types from a program, maps positions back to the submitted text, and applies edits without moving a line.
import { SourceMap } from "node:module";
import { transformSync } from "oxc-transform";
import { openLines, type ProgramPosition, programError, toPosition } from "../program.js";

const returnOutside = "A 'return' statement can only be used within a function body.";

interface StripOptions {
  /** Number of fence lines above the text. */
  readonly removedLines: number;
  /** Keep unused imports: the next program of a session may use them. */
  readonly keepsImports: boolean;
  /** A program may use `return` at its top level. */
  readonly hasReturn: boolean;
  /** How messages refer to the text. @default "the program" */
  readonly name?: string | undefined;
}

interface StrippedText {
  readonly code: string;
  readonly map: ConstructorParameters<typeof SourceMap>[0];
}

/** Throws PROGRAM_INVALID with the line and column of a syntax error. */
export const stripTypes = (text: string, options: StripOptions): StrippedText => {
  const { removedLines, keepsImports, hasReturn, name = "the program" } = options;
  const { code, map, errors } = transformSync("program.ts", text, {
    lang: "ts",
    sourceType: "module",
    target: "esnext",
    sourcemap: true,
    typescript: { onlyRemoveTypeImports: keepsImports },
  });
  const error = errors.find(({ message }) => !hasReturn || message !== returnOutside);
  if (error !== undefined) {
    const place = toPosition(text, error.labels[0]?.start ?? 0);
    const position = { ...place, line: place.line + removedLines };
    throw programError(
      `Cannot parse ${name}: ${error.message.replace(/\.$/, "")}`,
      position,
      error.helpMessage ?? undefined,
    );
  }
  return { code, map: map as unknown as StrippedText["map"] };
};

/** The position of an offset in the stripped code. */
export type PlaceOf = (offset: number) => ProgramPosition | undefined;

interface GivenText {
  readonly text: string;
  readonly removedLines: number;
  readonly file?: string | undefined;
}

/** The map is decoded on first use, because most programs import nothing. */
export const openPlaces = ({ code, map }: StrippedText, { text, removedLines, file }: GivenText): PlaceOf => {
  const open = () => ({ map: new SourceMap(map), code: openLines(code), text: openLines(text) });
  let opened: ReturnType<typeof open> | undefined;
  return (offset) => {
    opened ??= open();
    const { line, column } = opened.code.find(offset);
    const entry = opened.map.findEntry(line - 1, column - 1);
    if (!("originalLine" in entry)) return undefined;
    return {
      file,
      line: entry.originalLine + 1 + removedLines,
      column: entry.originalColumn + 1,
      excerpt: opened.text.excerpt(entry.originalLine + 1),
    };
  };
};
