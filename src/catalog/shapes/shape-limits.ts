// The bounds of a shape, so that no answer can make it large or learning slow.

/** Levels of objects and lists. */
export const deepestLevel = 10;
/** Fields of one object; more are keys of a map. */
export const mostFields = 100;
/** With more fields than this, none of them always there, the keys are data. */
export const mostLooseFields = 24;
/** Nodes of a whole shape. */
export const mostNodes = 1500;
/** Fields and items of one answer that are looked at; objects and lists beyond them are passed by. */
export const mostVisited = 4000;
const longestKey = 64;

const firstItems = 24;
const spreadItems = 16;

/** Which of many items are looked at: the first ones, and some from all over the rest. */
export const listSampled = (length: number): readonly number[] => {
  const first = Array.from({ length: Math.min(length, firstItems) }, (_, index) => index);
  const rest = length - firstItems;
  if (rest <= 0) return first;
  const count = Math.min(rest, spreadItems);
  const spread = Array.from({ length: count }, (_, index) => firstItems + Math.floor((index * rest) / count));
  return [...first, ...spread];
};

const dataKeys: readonly RegExp[] = [
  // Numbers, dates, versions, addresses of the net; "+1" and "-1" are fields of reactions.
  /^(?:[\d.:]|[+-]\d\d)/,
  // Identifiers: of hexadecimal digits, or with a long number.
  /^[0-9a-f]{8}-[0-9a-f]{4}-/i,
  /^(?=.*\d)[0-9a-f]{12,}$/i,
  /\d{5}/,
  // Letters and digits mixed without words, e.g. "U02AB3CDE".
  /^(?=(?:.*\d){3})(?=.*[A-Z])[A-Z0-9]{8,}$/,
  // Mail addresses; "value@odata.count" is a field.
  // bounded: a key has at most longestKey characters
  /^[^\s@]+@(?!odata\.|microsoft\.)[^\s@]+\.[^\s@]+$/,
  // Paths, addresses, media types, texts.
  /[\\/]/,
  /[\p{C}]/u,
  // bounded: a key has at most longestKey characters
  /\S+\s+\S+\s+\S+\s+\S/,
];

/** Whether a key looks like data rather than like the name of a field: such keys are never kept. */
export const isDataKey = (key: string): boolean =>
  key === "" || key.length > longestKey || dataKeys.some((pattern) => pattern.test(key));
