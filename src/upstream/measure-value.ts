// Measures a value that a server sent, without recursion: how many parts, how deep, how many characters.

export interface Measure {
  readonly parts: number;
  readonly depth: number;
  readonly length: number;
}

type Excess = keyof Measure;

export type Measured = Measure | { readonly tooMuch: Excess };

const lengthOf = (value: unknown): number =>
  typeof value === "string" ? value.length : typeof value === "number" ? 8 : 1;

/** Stops as soon as one bound is passed, so a value of any size costs no more than the bounds allow. */
export const measureValue = (value: unknown, most: Measure): Measured => {
  const waiting: { readonly value: unknown; readonly depth: number }[] = [{ value, depth: 0 }];
  let parts = 1;
  let length = 0;
  let deepest = 0;
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const { depth } = at;
    if (depth > most.depth) return { tooMuch: "depth" };
    deepest = Math.max(deepest, depth);
    if (typeof at.value !== "object" || at.value === null) {
      length += lengthOf(at.value);
      if (length > most.length) return { tooMuch: "length" };
      continue;
    }
    if (Array.isArray(at.value)) {
      parts += at.value.length;
      if (parts > most.parts) return { tooMuch: "parts" };
      for (const item of at.value) waiting.push({ value: item, depth: depth + 1 });
      continue;
    }
    for (const key in at.value) {
      parts += 1;
      length += key.length;
      if (parts > most.parts) return { tooMuch: "parts" };
      if (length > most.length) return { tooMuch: "length" };
      waiting.push({ value: (at.value as Readonly<Record<string, unknown>>)[key], depth: depth + 1 });
    }
  }
  return { parts, depth: deepest, length };
};
