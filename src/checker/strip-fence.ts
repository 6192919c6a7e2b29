// Removes a Markdown fence around a program and counts the removed lines.

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
