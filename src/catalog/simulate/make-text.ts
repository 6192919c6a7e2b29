// Simulated texts that fit a format, a simple pattern and a length, from random numbers that are the same for the same seed.
import type { SchemaObject } from "../../schema/index.js";

export interface RandomSource {
  /** From 0 up to but not including 1. */
  readonly next: () => number;
  /** From min to max, both included. */
  readonly integer: (min: number, max: number) => number;
  readonly pick: <Item>(items: readonly [Item, ...Item[]]) => Item;
}

/** FNV-1a: a text of any length is a seed. */
const toSeed = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
};

/** Mulberry32: small, fast and even enough for simulated answers. */
export const openRandomSource = (seed: string): RandomSource => {
  let state = toSeed(seed);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const integer = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  return { next, integer, pick: (items) => items[integer(0, items.length - 1)] ?? items[0] };
};

const words = "alpha bravo cedar delta ember falcon grove harbor island juniper kestrel lagoon".split(" ");

const toDigits = (value: number, length: number): string => String(value).padStart(length, "0");

const toHexadecimal = (random: RandomSource, length: number): string =>
  Array.from({ length }, () => random.integer(0, 15).toString(16)).join("");

const pickWord = (random: RandomSource): string => words[random.integer(0, words.length - 1)] ?? "alpha";

const makeDate = (random: RandomSource): string =>
  `2025-${toDigits(random.integer(1, 12), 2)}-${toDigits(random.integer(1, 28), 2)}`;

const makeTime = (random: RandomSource): string =>
  `${toDigits(random.integer(0, 23), 2)}:${toDigits(random.integer(0, 59), 2)}:00Z`;

/** Domains and addresses that the standards reserve for examples: they reach nobody. */
const formats: Readonly<Record<string, (random: RandomSource) => string>> = {
  "date-time": (random) => `${makeDate(random)}T${makeTime(random)}`,
  date: makeDate,
  time: makeTime,
  duration: (random) => `PT${random.integer(1, 59)}M`,
  email: (random) => `${pickWord(random)}@example.com`,
  "idn-email": (random) => `${pickWord(random)}@example.com`,
  hostname: (random) => `${pickWord(random)}.example.com`,
  "idn-hostname": (random) => `${pickWord(random)}.example.com`,
  ipv4: (random) => `192.0.2.${random.integer(1, 254)}`,
  ipv6: (random) => `2001:db8::${random.integer(1, 9999)}`,
  uri: (random) => `https://example.com/${pickWord(random)}/${random.integer(1, 999)}`,
  url: (random) => `https://example.com/${pickWord(random)}/${random.integer(1, 999)}`,
  iri: (random) => `https://example.com/${pickWord(random)}`,
  "uri-reference": (random) => `/${pickWord(random)}`,
  "iri-reference": (random) => `/${pickWord(random)}`,
  "uri-template": (random) => `/${pickWord(random)}/{id}`,
  "json-pointer": (random) => `/${pickWord(random)}`,
  "relative-json-pointer": () => "0",
  regex: () => "^.*$",
  byte: () => "c2ltdWxhdGVk",
  uuid: (random) =>
    `${toHexadecimal(random, 8)}-${toHexadecimal(random, 4)}-4${toHexadecimal(random, 3)}-8${toHexadecimal(random, 3)}-${toHexadecimal(random, 12)}`,
};

/** A set, class or character with its quantifier. Groups, alternatives and lookarounds are not supported. */
const atom = /(\[(?!\^)[^\]\\]+\]|\\[dw]|\\[^\w\s]|[^\\[\](){}|*+?.^$])(?:\{(\d{1,3})(?:,\d*)?\}|([+*?]))?/y;

const makeCharacter = (text: string, random: RandomSource): string => {
  if (text === "\\d") return String(random.integer(0, 9));
  if (text === "\\w") return "a";
  if (text.startsWith("\\")) return text.slice(1);
  if (!text.startsWith("[")) return text;
  const [, first = "", last = first] = /^\[(.)(?:-([^\]]))?/u.exec(text) ?? [];
  const [from, to] = [first.charCodeAt(0), last.charCodeAt(0)];
  return String.fromCharCode(random.integer(Math.min(from, to), Math.max(from, to)));
};

const toRepeats = (min: string | undefined, quantifier: string | undefined): number => {
  if (min !== undefined) return Number(min);
  return quantifier === "*" || quantifier === "?" ? 0 : 1;
};

/** A text for a simple pattern such as `^sim_[0-9a-f]{8}$`; undefined for any other pattern. */
const makeByPattern = (pattern: string, random: RandomSource): string | undefined => {
  const body = pattern.replace(/^\^/, "").replace(/\$$/, "");
  let made = "";
  atom.lastIndex = 0;
  while (atom.lastIndex < body.length) {
    const found = atom.exec(body);
    if (found === null) return undefined;
    const [, text = "", min, quantifier] = found;
    made += Array.from({ length: toRepeats(min, quantifier) }, () => makeCharacter(text, random)).join("");
  }
  return made;
};

const toLength = (text: string, min: number, max: number): string => {
  const padded = text.length < min ? text.padEnd(min, "x") : text;
  return padded.slice(0, Math.max(0, max));
};

const toCount = (value: unknown, fallback: number): number => (typeof value === "number" ? value : fallback);

/** A text for a string schema. */
export const makeText = (schema: SchemaObject, random: RandomSource): string => {
  const { format, pattern } = schema;
  const make = typeof format === "string" && Object.hasOwn(formats, format) ? formats[format] : undefined;
  if (make !== undefined) return make(random);
  const patterned = typeof pattern === "string" ? makeByPattern(pattern, random) : undefined;
  const text = patterned ?? `simulated ${pickWord(random)}`;
  const min = Math.min(toCount(schema.minLength, 0), 10_000);
  return toLength(text, min, toCount(schema.maxLength, Number.POSITIVE_INFINITY));
};
