// Quotes text of programs and servers in messages: shortened, on one line, without hidden characters.

const unseen = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** In quotes. */
export const quote = (text: string, longest = 80): string => `"${show(text, longest)}"`;

/** Without quotes. */
export const show = (text: string, longest = 80): string => {
  const plain = text.slice(0, 4 * longest).replace(unseen, " ");
  const points = [...plain];
  return points.length > longest ? `${points.slice(0, longest).join("")}…` : plain;
};

export const quoteList = (names: readonly string[]): string => names.map((name) => quote(name)).join(" or ");
