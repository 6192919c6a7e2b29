// Takes a Markdown fence off a program, remembering how many lines it took.

export interface BareProgram {
  readonly code: string;
  /** Lines removed above the program: added to every position that is reported. */
  readonly removedLines: number;
}

const fence = /^\s*(`{3,}|~{3,})[^\n`]*\n([\s\S]*?)\n?[ \t]*\1[ \t]*\s*$/;

/** The program inside one Markdown fence, or the text as it is. */
export const stripFence = (text: string): BareProgram => {
  const match = fence.exec(text);
  const code = match?.[2];
  if (match === null || code === undefined) return { code: text, removedLines: 0 };
  const start = text.indexOf("\n", match[0].search(/\S/)) + 1;
  return { code, removedLines: text.slice(0, start).split("\n").length - 1 };
};
