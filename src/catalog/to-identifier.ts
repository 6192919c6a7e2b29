// Any text as a camelCase identifier that JavaScript accepts and a reader can see.

interface IdentifierOptions {
  readonly name: string;
  readonly reserved: ReadonlySet<string>;
  /** Stands in when nothing of the name can be kept. */
  readonly fallback: string;
}

const longestIdentifier = 80;

/** Invisible characters go; characters beyond the basic plane too, where engines disagree on what is a letter. */
const toVisible = (text: string): string =>
  text
    .slice(0, 4 * longestIdentifier)
    .normalize("NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .replace(/[\u{10000}-\u{10ffff}\p{Cs}]/gu, " ");

const lowerStart = (word: string): string =>
  word.replace(/^(?:\p{Lu}+(?=\p{Lu}\p{Ll}|\P{L}|$)|\p{Lu})/u, (start) => start.toLowerCase());

const upperStart = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** `get-schema` → `getSchema`, `1st` → `_1st`, `class` → `class_`; letters of any script are kept. */
export const toIdentifier = ({ name, reserved, fallback }: IdentifierOptions): string => {
  const visible = toVisible(name);
  const text = /\p{Ll}/u.test(visible) ? visible : visible.toLowerCase();
  const [first = fallback, ...rest] = text.split(/(?:[^\p{ID_Continue}]|_)+/u).filter((word) => word !== "");
  const joined = (lowerStart(first) + rest.map(upperStart).join("")).slice(0, longestIdentifier);
  const started = /^\p{ID_Start}/u.test(joined) ? joined : `_${joined}`;
  return reserved.has(started) ? `${started}_` : started;
};
