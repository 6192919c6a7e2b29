// Reads the fields of an endpoint's answer. Nothing in it is trusted.
import type { JsonObject, ModelCall, ModelUsage } from "../contracts/index.js";

export type Fields = Readonly<Record<string, unknown>>;

export const toFields = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};

/** Parts of one answer: calls, blocks of text. The others are ignored. */
const maxParts = 200;

export const toList = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value.slice(0, maxParts) : [];

export const toText = (value: unknown): string => (typeof value === "string" ? value : "");

export const toCount = (value: unknown): number =>
  typeof value === "number" && Number.isFinite(value) && value > 0 ? Math.ceil(value) : 0;

/** Undefined without any count: the caller then counts itself. */
export const toUsage = (inputTokens: number, outputTokens: number): ModelUsage | undefined =>
  inputTokens === 0 && outputTokens === 0 ? undefined : { inputTokens, outputTokens };

const maxDepth = 64;
const maxNameLength = 128;

/** Endpoints refuse a conversation with names that they would not accept themselves. */
export const toCall = (id: string, name: string, given: unknown): ModelCall => ({
  id: toName(id),
  name: toName(name) || "unnamed",
  arguments: isPlainObject(given) && isShallow(given) ? (given as JsonObject) : undefined,
});

const toName = (text: string): string => text.slice(0, maxNameLength).replace(/[^\w-]/g, "_");

const isPlainObject = (value: unknown): boolean =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Deeper values end a recursive reader with an overflow. Level by level, so that this is not one of them. */
const isShallow = (value: unknown): boolean => {
  let level: readonly unknown[] = [value];
  for (let depth = 0; depth < maxDepth; depth++) {
    level = level.flatMap((one) => (typeof one === "object" && one !== null ? Object.values(one) : []));
    if (level.length === 0) return true;
  }
  return false;
};
