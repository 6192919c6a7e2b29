// Measures what a server sent, before it is parsed (bytes) and after (number of parts, depth, characters).
import { listingLimits } from "../contracts/index.js";

export interface Measure {
  readonly parts: number;
  readonly depth: number;
  readonly length: number;
}

type Excess = keyof Measure;

export type Measured = Measure | { readonly tooMuch: Excess };

const lengthOf = (value: unknown): number =>
  typeof value === "string" ? value.length : typeof value === "number" ? 8 : 1;

/** Measures without recursion, and stops at the first exceeded limit, so that the cost is bounded. */
export const measureValue = (value: unknown, max: Measure): Measured => {
  const waiting: { readonly value: unknown; readonly depth: number }[] = [{ value, depth: 0 }];
  let parts = 1;
  let length = 0;
  let deepest = 0;
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const { depth } = at;
    if (depth > max.depth) return { tooMuch: "depth" };
    deepest = Math.max(deepest, depth);
    if (typeof at.value !== "object" || at.value === null) {
      length += lengthOf(at.value);
      if (length > max.length) return { tooMuch: "length" };
      continue;
    }
    if (Array.isArray(at.value)) {
      parts += at.value.length;
      if (parts > max.parts) return { tooMuch: "parts" };
      for (const item of at.value) waiting.push({ value: item, depth: depth + 1 });
      continue;
    }
    for (const key in at.value) {
      parts += 1;
      length += key.length;
      if (parts > max.parts) return { tooMuch: "parts" };
      if (length > max.length) return { tooMuch: "length" };
      waiting.push({ value: (at.value as Readonly<Record<string, unknown>>)[key], depth: depth + 1 });
    }
  }
  return { parts, depth: deepest, length };
};

const isStructure = (code: number): boolean => code === 0x2c || code === 0x5b || code === 0x7b;

/** Counts commas and opening brackets, also inside strings: an upper bound of the values, without parsing. */
export const countStructure = (bytes: Uint8Array): number => {
  let count = 0;
  for (const code of bytes) if (isStructure(code)) count += 1;
  return count;
};

/** Whether a page of a listing is too large to parse, which could take seconds. */
export const isPageTooLarge = (bytes: Uint8Array): boolean =>
  bytes.length > listingLimits.pageBytes ||
  // Fewer bytes cannot hold more values, so counting is not needed.
  (bytes.length > listingLimits.pageParts && countStructure(bytes) > listingLimits.pageParts);

/** Whether a request lists tools, resources or prompts. */
export const isListMethod = (method: unknown): boolean =>
  typeof method === "string" && method.endsWith("/list");

/** Bounds of what a server may ask for at once. It is shown to people or a model, and stored in the journal. */
export const maxInput = { parts: 5000, depth: 32, length: 256 * 1024 };
