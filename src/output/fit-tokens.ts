// How much of something fits into a number of tokens, counted and not guessed.

/** Tokens of a text; undefined when they cannot be had. */
export type CountTokens = (text: string) => Promise<number | undefined>;

export interface Fitting {
  /** Tokens, or more than there are when that already fits: what is short need not be counted. */
  readonly countAtMost: (text: string, most: number) => Promise<number>;
  /** The longest beginning of a text, cut at a line's end where one is near. */
  readonly fitHead: (text: string, most: number) => Promise<string>;
  readonly fitTail: (text: string, most: number) => Promise<string>;
  /** The largest number up to `total` whose text fits; 0 when none does. */
  readonly fitCount: (
    total: number,
    render: (count: number) => Promise<string>,
    most: number,
  ) => Promise<number>;
}

/** Characters that a token seldom has more of: what is longer is surely too much. */
const longestPerToken = 24;

export const openFitting = (countTokens: CountTokens): Fitting => {
  /** What cannot be counted is taken for the most that it can be. */
  const count = async (text: string): Promise<number> =>
    (await countTokens(text).catch(() => undefined)) ?? Buffer.byteLength(text);

  const countAtMost: Fitting["countAtMost"] = async (text, most) => {
    if (text.length <= most) {
      const bytes = Buffer.byteLength(text);
      if (bytes <= most) return bytes;
    }
    const head = text.slice(0, most * longestPerToken);
    const tokens = await count(head);
    return tokens > most || head.length === text.length ? tokens : count(text);
  };

  /** Each try is scaled by what the one before came to. */
  const fitLength = async (
    take: (length: number) => string,
    longest: number,
    most: number,
  ): Promise<string> => {
    let length = Math.min(longest, most * 4);
    for (let attempt = 0; attempt < 8 && length > 0; attempt++) {
      const text = take(length);
      const tokens = await countAtMost(text, most);
      if (tokens <= most) return text;
      length = Math.floor(length * Math.min(0.95, (most / tokens) * 0.97));
    }
    return "";
  };

  return {
    countAtMost,
    fitHead: (text, most) =>
      fitLength((length) => toLineEnd(text.slice(0, length), text.length), text.length, most),
    fitTail: (text, most) =>
      fitLength(
        (length) => text.slice(text.length - length).replace(/^[\uDC00-\uDFFF]/, ""),
        text.length,
        most,
      ),
    fitCount: async (total, render, most) => {
      let fits = 0;
      let beyond = total + 1;
      let tried = Math.min(total, 64);
      while (fits + 1 < beyond) {
        const isFitting = (await countAtMost(await render(tried), most)) <= most;
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
