// The code blocks of a document, including one whose opening fence was forgotten.

export interface CodeBlock {
  /** The language of the fence; empty if it names none. */
  readonly language: string;
  /** The last heading or bold line above it. */
  readonly heading: string;
  readonly text: string;
}

const fence = /^\s*```(\w*)\s*$/;
const headingLine = /^\s*(?:#+\s+(?<title>.+)|\*\*(?<bold>[^*]+)\*\*.*)$/;

/** A fence that names a language while a block is open means that the fence before it closed a block that was never opened. */
export const readCodeBlocks = (document: string): readonly CodeBlock[] => {
  const blocks: CodeBlock[] = [];
  let heading = "";
  let open: { language: string; heading: string; lines: string[]; indent: number } | undefined;
  /** Lines since the last heading or block. */
  let loose: { heading: string; lines: string[] } = { heading, lines: [] };
  const add = (
    language: string,
    of: { readonly heading: string; readonly lines: readonly string[] },
  ): void => {
    blocks.push({ language, heading: of.heading, text: `${of.lines.join("\n").trim()}\n` });
  };
  let before = loose;
  for (const line of document.split("\n")) {
    const language = fence.exec(line)?.[1];
    if (language !== undefined && language !== "" && open?.language === "") {
      add("", before);
      // The lines between were text.
      for (const one of open.lines) heading = titleOf(one) ?? heading;
      open = undefined;
    }
    if (language === undefined) {
      if (open !== undefined) open.lines.push(line.slice(Math.min(open.indent, line.search(/\S|$/))));
      else {
        const title = titleOf(line);
        if (title !== undefined) {
          heading = title;
          loose = { heading, lines: [] };
        } else loose.lines.push(line);
      }
    } else if (open === undefined) {
      before = loose;
      open = { language, heading, lines: [], indent: line.search(/\S/) };
    } else {
      add(open.language, open);
      open = undefined;
      loose = { heading, lines: [] };
    }
  }
  return blocks;
};

const titleOf = (line: string): string | undefined => {
  // A comment of a program looks like a heading: only known ones begin a section.
  const { title, bold } = headingLine.exec(line)?.groups ?? {};
  const text = title === undefined ? bold : line.startsWith("# ") ? undefined : title;
  return text?.replace(/[^\w ,:.-]/g, "").trim();
};
