// Edits a text by position, and detects its line ends and indentation.
export interface TextEdit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Applies edits that do not overlap. */
export const applyEdits = (text: string, edits: readonly TextEdit[]): string =>
  edits
    .toSorted((left, right) => right.from - left.from || right.to - left.to)
    .reduce((current, { from, to, text: put }) => current.slice(0, from) + put + current.slice(to), text);

export const endOfLineOf = (text: string): "\r\n" | "\n" => (text.includes("\r\n") ? "\r\n" : "\n");

export const lineStartOf = (text: string, position: number): number =>
  text.lastIndexOf("\n", position - 1) + 1;

/** The start of the next line, or the end of the text. */
export const nextLineOf = (text: string, position: number): number => {
  const end = text.indexOf("\n", position);
  return end < 0 ? text.length : end + 1;
};

/** The indentation before a position; `undefined` if there is other text before it on its line. */
export const indentBefore = (text: string, position: number): string | undefined => {
  const before = text.slice(lineStartOf(text, position), position);
  return /^[ \t]*$/.test(before) ? before : undefined;
};

/** One step of indentation in this text. */
export const indentUnitOf = (text: string): string => /^([ \t]+)\S/m.exec(text)?.[1] ?? "  ";
