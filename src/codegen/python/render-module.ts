// The frame of a generated Python module: its first line, and the imports that its text uses.

const typingWords =
  "TYPE_CHECKING Any Dict List Literal Mapping NoReturn Optional Sequence Tuple TypedDict Union cast overload".split(
    " ",
  );

// linear: a word of the list above between two boundaries
const hasWord = (text: string, word: string): boolean => new RegExp(`\\b${word}\\b`).test(text);

/** Names that every module's imports may take. */
export const importedNames: readonly string[] = [
  ...typingWords,
  "NotRequired",
  "Answer",
  "_call",
  "annotations",
];

interface ModuleOptions {
  /** The first line, without its sign. */
  readonly title: string;
  readonly body: string;
}

/** NotRequired is for checkers alone: Python 3.9 has none, and annotations are never evaluated. */
export const renderModule = ({ title, body }: ModuleOptions): string => {
  const isPartial = hasWord(body, "NotRequired");
  const words = typingWords.filter((word) => hasWord(body, word) || (isPartial && word === "TYPE_CHECKING"));
  return [
    `# ${title}\n`,
    "from __future__ import annotations\n\n",
    words.length > 0 ? `from typing import ${words.join(", ")}\n\n` : "",
    "from mcp_tools._call import Answer, call as _call\n\n",
    isPartial ? "if TYPE_CHECKING:\n    from typing_extensions import NotRequired\n\n" : "",
    `\n${body}`,
  ].join("");
};
