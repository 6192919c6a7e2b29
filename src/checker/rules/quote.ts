// Quotes text of programs and servers in messages: shortened, on one line, without hidden characters.

const hiddenCharacters = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** In quotes. */
export const quote = (text: string, maxLength = 80): string => `"${show(text, maxLength)}"`;

/** Without quotes. */
export const show = (text: string, maxLength = 80): string => {
  const plain = text.slice(0, 4 * maxLength).replace(hiddenCharacters, " ");
  const points = [...plain];
  return points.length > maxLength ? `${points.slice(0, maxLength).join("")}…` : plain;
};

export const quoteList = (names: readonly string[]): string => names.map((name) => quote(name)).join(" or ");
