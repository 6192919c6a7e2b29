// Names of servers and tools → unique identifiers for programs, and unique public names, the same whatever the order of the names.
import { createHash } from "node:crypto";
import type { NamedItem } from "../contracts/index.js";

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

const compareCodeUnits = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

const toNumbered = (base: string, number: number): string =>
  /\d$/.test(base) ? `${base}_${number}` : `${base}${number}`;

/**
 * A name that already is an identifier keeps itself. Of the others that would clash, all but the first get a number.
 * Uniqueness ignores case, because identifiers become file names too.
 */
const assignIdentifiers = (
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
  assignIdentifiers(names, toServerIdentifier);

/** Names of one server's tools → the names of their functions. */
export const toFunctionNames = (names: Iterable<string>): ReadonlyMap<string, string> =>
  assignIdentifiers(names, (name) => toIdentifier({ name, reserved: reservedForTools, fallback: "tool" }));

interface ServerItems {
  readonly server: string;
  /** What its names are qualified with. */
  readonly prefix: string;
  readonly names: readonly string[];
}

interface AssignNamesOptions {
  /** Joins a prefix and a name. */
  readonly qualify: (prefix: string, name: string) => string;
  /** Names that are not available, such as those of our own tools. */
  readonly reserved?: ReadonlySet<string> | undefined;
  /** Names that were given before. New ones are added; long ones as hashes. */
  readonly given: Map<string, NamedItem>;
}

/** Of one server. Beyond that, its oldest names that it does not list any more are forgotten. */
const maxRemembered = 5000;
const maxRememberedLength = 200;

const toShort = (text: string): string =>
  text.length <= maxRememberedLength ? text : `sha256:${createHash("sha256").update(text).digest("hex")}`;

const isSame = (one: NamedItem, other: NamedItem): boolean =>
  one.server === other.server && one.name === other.name;

/** The public name of every item, in the order of the servers. */
export const assignNames = (
  servers: readonly ServerItems[],
  { qualify, reserved = new Set(), given }: AssignNamesOptions,
): ReadonlyMap<string, NamedItem> => {
  const owners = new Map<string, number>();
  const qualified = new Map<string, NamedItem>();
  for (const { server, prefix, names } of servers)
    for (const name of new Set(names)) {
      owners.set(name, (owners.get(name) ?? 0) + 1);
      const whole = qualify(prefix, name);
      if (!qualified.has(whole)) qualified.set(whole, { server, name });
    }
  const isFree = (publicName: string, item: NamedItem): boolean => {
    const before = given.get(toShort(publicName));
    const isOwn = before === undefined || isSame(before, { ...item, name: toShort(item.name) });
    return !reserved.has(publicName) && isOwn;
  };
  const mayBeBare = (item: NamedItem): boolean => {
    if (!isFree(item.name, item)) return false;
    if (given.has(toShort(item.name))) return true;
    const rival = qualified.get(item.name);
    return owners.get(item.name) === 1 && (rival === undefined || isSame(rival, item));
  };
  const assigned = new Map<string, NamedItem>();
  for (const { server, prefix, names } of servers)
    for (const name of new Set(names)) {
      const item = { server, name };
      let publicName = mayBeBare(item) ? name : qualify(prefix, name);
      for (let count = 2; !isFree(publicName, item) || assigned.has(publicName); count++)
        publicName = `${qualify(prefix, name)}_${count}`;
      given.set(toShort(publicName), { server, name: toShort(name) });
      assigned.set(publicName, item);
    }
  forgetOldest(given, new Set([...assigned.keys()].map(toShort)));
  return assigned;
};

/** The server that a public name was given to, also if it does not list it now. */
export const findOwner = (given: ReadonlyMap<string, NamedItem>, publicName: string): string | undefined =>
  given.get(toShort(publicName))?.server;

/** A server that renames its items again and again makes us forget only its own names. */
const forgetOldest = (given: Map<string, NamedItem>, listed: ReadonlySet<string>): void => {
  const counts = new Map<string, number>();
  for (const { server } of given.values()) counts.set(server, (counts.get(server) ?? 0) + 1);
  for (const [name, { server }] of given) {
    const count = counts.get(server) ?? 0;
    if (count <= maxRemembered || listed.has(name)) continue;
    given.delete(name);
    counts.set(server, count - 1);
  }
};

/** `server__tool`, in characters that every client accepts. */
export const qualifyName = (prefix: string, name: string): string => `${prefix}__${name}`;

/** An address of the same scheme for user interfaces, which clients look for; otherwise the server joins the scheme. */
export const qualifyAddress = (prefix: string, address: string): string =>
  address.startsWith("ui://") ? `ui://${prefix}/${address.slice(5)}` : `${prefix}+${address}`;

/** Whether an address fits a URI template. Matches part by part between the variables, so that every text takes linear time. */
export const fitsTemplate = (template: string, address: string): boolean => {
  const parts = template.split(/\{[^{}]*\}/);
  const [head = "", ...others] = parts;
  if (others.length === 0) return template === address;
  const tail = others.pop() ?? "";
  if (!address.startsWith(head) || address.length < head.length + tail.length) return false;
  let at = head.length;
  for (const part of others) {
    const found = address.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return address.length - at >= tail.length && address.endsWith(tail);
};
