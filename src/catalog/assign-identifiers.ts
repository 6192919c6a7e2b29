// Names of servers and tools → unique identifiers that programs can use, the same whatever the order of the names.

const toSet = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Words that cannot be declared in a strict module. */
const languageWords = `
  abstract arguments as async await boolean break case catch class const continue debugger declare default delete do
  else enum eval export extends false finally for from function if implements import in instanceof interface let new
  null of package private protected public return static super switch this throw true try typeof undefined var void
  while with yield NaN Infinity`;

/** A tool with one of these names would shadow a member of every object, or make its server thenable. */
const objectMembers = `
  then toJSON constructor prototype toString toLocaleString valueOf hasOwnProperty isPrototypeOf propertyIsEnumerable`;

/** The globals of the language and of the guest. */
const globalNames = `
  AbortController AbortSignal AggregateError Array ArrayBuffer AsyncIterator Atomics BigInt BigInt64Array
  BigUint64Array Blob Boolean Buffer DataView Date Error EvalError Event EventTarget FinalizationRegistry Float16Array
  Float32Array Float64Array Function Headers Int16Array Int32Array Int8Array Intl Iterator JSON Map Math Number Object
  Promise Proxy RangeError ReferenceError Reflect RegExp Request Response Set SharedArrayBuffer String Symbol
  SyntaxError TextDecoder TextEncoder ToolError TypeError URIError URL URLSearchParams Uint16Array Uint32Array
  Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet WebAssembly atob btoa callMCPTool callTool clearInterval
  clearTimeout console coordinator crypto decodeURI decodeURIComponent encodeURI encodeURIComponent escape exports global globalThis
  isFinite isNaN module parseFloat parseInt performance process queueMicrotask require self servers setInterval
  setTimeout sleep structuredClone unescape window`;

const reservedForTools = toSet(`${languageWords} ${objectMembers}`);
/** Servers are global objects in programs. */
const reservedForServers = toSet(`${languageWords} ${objectMembers} ${globalNames}`);

interface IdentifierOptions {
  readonly name: string;
  readonly reserved: ReadonlySet<string>;
  /** The identifier of a name without a usable character. */
  readonly fallback: string;
}

const maxIdentifier = 80;

/** Drops invisible characters, and those beyond the basic plane: engines disagree on which of them are letters. */
const toVisible = (text: string): string =>
  text
    .slice(0, 4 * maxIdentifier)
    .normalize("NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .replace(/[\u{10000}-\u{10ffff}\p{Cs}]/gu, " ");

const lowerStart = (word: string): string =>
  word.replace(/^(?:\p{Lu}+(?=\p{Lu}\p{Ll}|\P{L}|$)|\p{Lu})/u, (start) => start.toLowerCase());

const upperStart = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** camelCase: `get-schema` → `getSchema`, `1st` → `_1st`, `class` → `class_`. Keeps letters of any script. */
const toIdentifier = ({ name, reserved, fallback }: IdentifierOptions): string => {
  const visible = toVisible(name);
  const text = /\p{Ll}/u.test(visible) ? visible : visible.toLowerCase();
  const [first = fallback, ...rest] = text.split(/(?:[^\p{ID_Continue}]|_)+/u).filter((word) => word !== "");
  const joined = (lowerStart(first) + rest.map(upperStart).join("")).slice(0, maxIdentifier);
  const started = /^\p{ID_Start}/u.test(joined) ? joined : `_${joined}`;
  return reserved.has(started) ? `${started}_` : started;
};

export const compareCodeUnits = (left: string, right: string): number =>
  left < right ? -1 : left > right ? 1 : 0;

const toNumbered = (base: string, number: number): string =>
  /\d$/.test(base) ? `${base}_${number}` : `${base}${number}`;

/**
 * A name that already is an identifier keeps itself. Of the others that would clash, all but the first get a number.
 * Uniqueness ignores case, because identifiers become file names too.
 */
const assignNames = (
  names: Iterable<string>,
  toBase: (name: string) => string,
): ReadonlyMap<string, string> => {
  const sorted = [...new Set(names)].sort(compareCodeUnits);
  const given = new Set(sorted);
  const bases = new Map(sorted.map((name) => [name, toBase(name)]));
  const taken = new Set<string>();
  const assigned = new Map<string, string>();
  // A given name must keep meaning what it names.
  const claim = (name: string, wanted: string): boolean => {
    const isFree = !taken.has(wanted.toLowerCase()) && (wanted === name || !given.has(wanted));
    if (isFree) assigned.set(name, wanted);
    if (isFree) taken.add(wanted.toLowerCase());
    return isFree;
  };
  for (const [name, base] of bases) if (name === base) claim(name, base);
  for (const [name, base] of bases) if (!assigned.has(name)) claim(name, base);
  const lastNumber = new Map<string, number>();
  for (const [name, base] of bases) {
    if (assigned.has(name)) continue;
    const key = base.toLowerCase();
    let number = (lastNumber.get(key) ?? 1) + 1;
    while (!claim(name, toNumbered(base, number))) number += 1;
    lastNumber.set(key, number);
  }
  return assigned;
};

const simpleName = /^[A-Za-z][A-Za-z0-9]{0,79}$/;

const toServerIdentifier = (name: string): string => {
  if (!simpleName.test(name)) return toIdentifier({ name, reserved: reservedForServers, fallback: "server" });
  return reservedForServers.has(name) ? `${name}_` : name;
};

/** Configured name → identifier: `GitHub` stays, `my-server` → `myServer`, `Map` → `Map_`, `7zip` → `_7zip`. */
export const toServerIdentifiers = (names: readonly string[]): ReadonlyMap<string, string> =>
  assignNames(names, toServerIdentifier);

/** Names of one server's tools → the names of their functions. */
export const toFunctionNames = (names: Iterable<string>): ReadonlyMap<string, string> =>
  assignNames(names, (name) => toIdentifier({ name, reserved: reservedForTools, fallback: "tool" }));
