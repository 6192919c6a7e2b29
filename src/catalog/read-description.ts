// What a tool's description tells a caller: its purpose in a sentence, what it returns, whether it is deprecated.
import type { Tool } from "../contracts/index.js";

type Described = Pick<Tool, "name" | "description">;

const maxRead = 4000;
const maxSentences = 12;
const maxPurpose = 80;
/** With the sentence that tells two similar tools apart. */
const maxApart = 200;
/** Share of common words from which two sentences say the same. */
const alike = 0.6;

const cut = (text: string, max: number): string =>
  text.length > max ? `${text.slice(0, max - 1).trimEnd()}…` : text;

const toSentences = (description: string): readonly string[] =>
  description
    .slice(0, maxRead)
    .split(/\n[ \t]{0,40}\n|(?<=[.!?])\s/)
    .map((sentence) => sentence.replace(/\s+/g, " ").trim())
    .filter((sentence) => sentence !== "")
    .slice(0, maxSentences);

const toWords = (text: string): ReadonlySet<string> =>
  new Set(text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []);

/** The share of the words of `one` that `other` has. */
const shareOf = (one: ReadonlySet<string>, other: ReadonlySet<string>): number =>
  [...one].filter((word) => other.has(word)).length / Math.max(one.size, 1);

interface ReadTool {
  readonly sentences: readonly string[];
  readonly first: ReadonlySet<string>;
  readonly all: ReadonlySet<string>;
}

const isTwin = (one: ReadTool, other: ReadTool): boolean =>
  one !== other && Math.min(shareOf(one.first, other.first), shareOf(other.first, one.first)) >= alike;

/** The purpose of each tool in its first sentence; where two are alike, also the sentence that only one of them has. */
export const describePurposes = <Item extends Described>(
  tools: readonly Item[],
): ReadonlyMap<Item, string> => {
  const read = tools.map(({ description }): ReadTool => {
    const sentences = toSentences(description);
    return { sentences, first: toWords(sentences[0] ?? ""), all: toWords(description.slice(0, maxRead)) };
  });
  return new Map(
    tools.map((tool, at) => {
      const own = read[at] as ReadTool;
      const [first = "", ...rest] = own.sentences;
      const twins = read.filter((other) => isTwin(own, other));
      const apart =
        twins.length === 0
          ? undefined
          : rest.find((sentence) => twins.every(({ all }) => shareOf(toWords(sentence), all) < alike));
      const purpose = cut(first, maxPurpose);
      return [tool, apart === undefined ? purpose : cut(`${purpose} ${apart}`, maxApart)];
    }),
  );
};

/** What the description says about the result; undefined if it says nothing. */
export const readReturns = ({ description }: Described): string | undefined => {
  const found = /\breturns?\b:?\s*([^\n.]{4,160})/i.exec(description.slice(0, maxRead))?.[1]?.trim();
  return found === undefined ? undefined : cut(found, 120);
};

/** Whether the tool itself is called deprecated, not something that it mentions. */
export const isDeprecated = ({ description }: Described): boolean => {
  const text = description.slice(0, maxRead);
  return (
    /\bDEPRECATED\b/.test(text) || /(?:^|[[(*.!\n]\s{0,3})deprecated\b|\b(?:is|now) deprecated\b/i.test(text)
  );
};
