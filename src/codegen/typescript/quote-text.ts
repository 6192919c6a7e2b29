// Text of servers as TypeScript literals and names that cannot end early, hide or reorder what follows.

const invisible = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** The exact text as a string literal; characters that cannot be seen are written as escapes. */
export const quoteText = (text: string): string =>
  JSON.stringify(text).replace(invisible, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);

/** The name of a property or an export as it is written: bare where it can be. */
export const renderName = (name: string): string =>
  /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name) ? name : quoteText(name);
