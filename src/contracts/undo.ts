// Undo: the inverse of a write, as it is computed when the write is journaled.
import type { Json, JsonObject } from "./json.js";

export interface InverseCall {
  readonly server: string;
  readonly tool: string;
  readonly arguments: JsonObject;
}

/** A read, and what its answer must still contain before the inverse call is made. */
export interface StateCheck extends InverseCall {
  readonly expect: readonly { readonly path: readonly string[]; readonly value: Json }[];
}

/** What the journal knows about how a write is undone. It has tokens in place of hidden values, like the rest of the journal. */
export type RecordedInverse =
  | {
      readonly call: InverseCall;
      readonly check?: StateCheck | undefined;
      /** The read that was made before the write, with its answer unless that is large. */
      readonly before?: (InverseCall & { readonly answer?: Json | undefined }) | undefined;
    }
  /** An inverse is declared, and could not be computed. */
  | { readonly missing: string };

/** Computes the inverse of one write. */
export interface InverseMaker {
  /** The read that comes before the write. Undefined: none. Throws if it cannot be computed. */
  readonly toRead: (given: JsonObject) => InverseCall | undefined;
  readonly usesAnswer: boolean;
  /** Never throws. */
  readonly invert: (facts: {
    readonly arguments: JsonObject;
    readonly answer?: Json | undefined;
    readonly before?: Json | undefined;
  }) => RecordedInverse;
}
