// Text as a person sees it: invisible and direction-changing characters are escaped.

// Control characters, line separators, direction marks and invisible characters.
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\u115f\u1160\u3164\uffa0]/gu;

export const hasInvisible = (text: string): boolean => text.search(invisible) >= 0;

const escapeCharacter = (character: string): string => {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`;
};

export const toVisibleText = (text: string): string => text.replace(invisible, escapeCharacter);
