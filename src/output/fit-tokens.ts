// Finds how much of a text or list fits into a token budget, by counting.

/** The tokens of a text; undefined if they cannot be counted. */
export type CountTokens = (text: string) => Promise<number | undefined>;

export interface Fitting {
  /** The number of tokens. For a short text that fits in any case, an upper bound without counting. */
  readonly countAtMost: (text: string, maxTokens: number) => Promise<number>;
  /** The longest beginning of a text that fits, cut at the end of a line if one is near. */
  readonly fitHead: (text: string, maxTokens: number) => Promise<string>;
  readonly fitTail: (text: string, maxTokens: number) => Promise<string>;
  /** The largest number up to `total` whose text fits; 0 if none does. */
  readonly fitCount: (
    total: number,
    render: (count: number) => Promise<string>,
    maxTokens: number,
  ) => Promise<number>;
}

/** A token rarely has more characters: a longer text certainly does not fit. */
const maxCharactersPerToken = 24;

export const openFitting = (countTokens: CountTokens): Fitting => {
  /** If counting fails, uses the upper bound. */
  const count = async (text: string): Promise<number> =>
    (await countTokens(text).catch(() => undefined)) ?? Buffer.byteLength(text);

  const countAtMost: Fitting["countAtMost"] = async (text, maxTokens) => {
    if (text.length <= maxTokens) {
      const bytes = Buffer.byteLength(text);
      if (bytes <= maxTokens) return bytes;
    }
    const head = text.slice(0, maxTokens * maxCharactersPerToken);
    const tokens = await count(head);
    return tokens > maxTokens || head.length === text.length ? tokens : count(text);
  };

  /** Scales each attempt by the result of the previous one. */
  const fitLength = async (
    take: (length: number) => string,
    maxLength: number,
    maxTokens: number,
  ): Promise<string> => {
    let length = Math.min(maxLength, maxTokens * 4);
    for (let attempt = 0; attempt < 8 && length > 0; attempt++) {
      const text = take(length);
      const tokens = await countAtMost(text, maxTokens);
      if (tokens <= maxTokens) return text;
      length = Math.floor(length * Math.min(0.95, (maxTokens / tokens) * 0.97));
    }
    return "";
  };

  return {
    countAtMost,
    fitHead: (text, maxTokens) =>
      fitLength((length) => toLineEnd(text.slice(0, length), text.length), text.length, maxTokens),
    fitTail: (text, maxTokens) =>
      fitLength(
        (length) => text.slice(text.length - length).replace(/^[\uDC00-\uDFFF]/, ""),
        text.length,
        maxTokens,
      ),
    fitCount: async (total, render, maxTokens) => {
      let fits = 0;
      let beyond = total + 1;
      let tried = Math.min(total, 64);
      while (fits + 1 < beyond) {
        const isFitting = (await countAtMost(await render(tried), maxTokens)) <= maxTokens;
        if (isFitting) fits = tried;
        else beyond = tried;
        tried = beyond > total ? Math.min(total, tried * 2) : Math.floor((fits + beyond) / 2);
        if (fits === total) break;
      }
      return fits;
    },
  };
};

const toLineEnd = (head: string, whole: number): string => {
  if (head.length === whole) return head;
  const end = head.lastIndexOf("\n");
  return end > head.length * 0.7 ? head.slice(0, end) : head.replace(/[\uD800-\uDBFF]$/, "");
};
