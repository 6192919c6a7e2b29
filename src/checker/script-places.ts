// Maps statements of type-stripped code back to positions in the submitted text.
import { SourceMap } from "node:module";
import { openLines, type ProgramPosition } from "./program-error.js";
import type { StrippedText } from "./strip-types.js";

/** The position of an offset in the stripped code. */
export type PlaceOf = (offset: number) => ProgramPosition | undefined;

export interface GivenText {
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
