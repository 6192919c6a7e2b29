// Answers as servers give them, made from a seed: objects, lists, missing fields, maps, and keys that are data.
import type { Json } from "../../../../src/contracts/index.js";

type Random = () => number;

/** The same numbers for the same seed. */
export const openRandom = (seed: number): Random => {
  let state = seed;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 4_294_967_296;
  };
};

const names = ["id", "name", "items", "owner", "count", "price", "tags", "next", "__proto__", "constructor"];
const scalars: readonly Json[] = [null, true, 7, 7.5, "secret-value", ""];

const pick = <Item>(items: readonly Item[], random: Random): Item =>
  items[Math.floor(random() * items.length)] as Item;

export const makeAnswer = (random: Random, depth = 0): Json => {
  const kind = random();
  if (depth > 3 || kind < 0.35) return pick(scalars, random);
  const count = Math.floor(random() * 4);
  if (kind < 0.55) return Array.from({ length: count }, () => makeAnswer(random, depth + 1));
  if (kind < 0.65) {
    const keys = Array.from({ length: count }, () => `2025-01-${10 + Math.floor(random() * 20)}`);
    return Object.fromEntries(keys.map((key) => [key, makeAnswer(random, depth + 1)]));
  }
  const chosen = names.filter(() => random() < 0.5);
  return Object.fromEntries(chosen.map((name) => [name, makeAnswer(random, depth + 1)]));
};
