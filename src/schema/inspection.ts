// The words of an inspection: where a value is, what is wrong with it, how much work is left.
import type { Json, JsonSchema } from "../contracts/index.js";

/** Where a value is: its key, and the path of what holds it. */
export interface ValuePath {
  readonly parent: ValuePath | undefined;
  readonly key: string | number;
}

export interface Problem {
  /** Undefined is the arguments object itself. */
  readonly path: ValuePath | undefined;
  readonly kind: "value" | "missing" | "unknown";
  /** What follows the argument's name in the message; made only for the problems that are shown. */
  readonly describe: () => string;
  /** How much it speaks against a branch of a union: the branch with the smallest sum was meant. */
  readonly weight: number;
  /** The values that were allowed, where the value was none of them. */
  readonly literals?: { readonly found: Json; readonly allowed: readonly unknown[] };
}

/** The type is wrong, the literal is wrong, or something smaller is. */
export const weights = { type: 100, literal: 10, detail: 1 } as const;

export interface Inspection {
  readonly root: JsonSchema;
  /** Counts down; at zero the rest is taken as fitting: the server has the last word anyway. */
  stepsLeft: number;
}

export interface Inspected {
  readonly inspection: Inspection;
  readonly schema: unknown;
  readonly value: Json;
  readonly path: ValuePath | undefined;
  readonly depth: number;
}

export type Inspect = (inspected: Inspected) => readonly Problem[];

export const noProblems: readonly Problem[] = [];

export const mostProblems = 10;
