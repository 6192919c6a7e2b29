// Pseudo-random numbers that are the same for the same seed.

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
