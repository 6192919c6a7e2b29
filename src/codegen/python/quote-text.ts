// Text of servers as Python string literals that cannot end early, hide or reorder what follows.

const invisible = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

const toEscape = (character: string): string => {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length <= 4 ? `\\u${code.padStart(4, "0")}` : `\\U${code.padStart(8, "0")}`;
};

/** The exact text as a string literal; JSON's escapes are Python's too. */
export const quoteText = (text: string): string => JSON.stringify(text).replace(invisible, toEscape);
