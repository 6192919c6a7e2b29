// What a model reads of a search: for each hit the import, the signature and one line of purpose.
import type { SearchResult } from "../../coordinator/index.js";

const maxPurposeLength = 120;

export const renderSearch = (result: SearchResult): string => {
  const blocks = result.hits.map(({ importLine, signature, tool, isWeak }) => {
    const purpose = toPurpose(tool.description);
    return [
      importLine,
      `${signature}${tool.isReadOnly ? " // read-only" : ""}${isWeak ? " // weak match" : ""}`,
      ...(purpose === "" ? [] : [`// ${purpose}`]),
    ].join("\n");
  });
  if (blocks.length === 0)
    blocks.push(
      `Nothing found for "${result.query.slice(0, 200)}" among ${result.total} tools. Try other words.`,
    );
  if (result.unmatchedWords.length > 0) blocks.push(renderUnmatched(result));
  if (result.unavailable.length > 0) {
    blocks.push(
      `Not searched: ${result.unavailable.map(({ server, reason }) => `${server} (${reason.slice(0, 160)})`).join("; ")}`,
    );
  }
  return blocks.join("\n\n");
};

const renderUnmatched = ({ unmatchedWords, near }: SearchResult): string => {
  const words = unmatchedWords.slice(0, 8).map((word) => {
    const close = near.find((one) => one.word === word)?.near ?? [];
    return close.length === 0 ? word : `${word} (near: ${close.slice(0, 3).join(", ")})`;
  });
  return `No tool has these words: ${words.join(", ")}`;
};

/** The first sentence, on one line. */
const toPurpose = (description: string): string => {
  const line = description.replace(/\s+/g, " ").trim();
  const sentence = /^.+?[.!?](?=\s|$)/.exec(line)?.[0] ?? line;
  return sentence.length > maxPurposeLength ? `${sentence.slice(0, maxPurposeLength - 1)}…` : sentence;
};
