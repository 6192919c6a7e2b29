// Questions that a run waits for people to answer: those that its program asks, and whether its calls may be made.
import type { Language } from "./executor.js";
import type { Json, JsonObject } from "./json.js";

/** What a guest calls to ask people: no configured server can have this name. */
export const peopleServer = "\u0000people";

/** Global names of every program. A server of the same name, or a variable of the program's own, wins. */
export const peopleNames: Readonly<Record<Language, readonly string[]>> = {
  typescript: ["ask"],
  python: ["ask"],
};

/** A call that is not made before people allow it. */
export interface AskedCall {
  readonly server: string;
  readonly tool: string;
  readonly arguments: JsonObject;
}

export interface RunQuestion {
  readonly kind: "input" | "approval";
  /** For people to read. Of kind `input` the program wrote it: it is no more trusted than the program. */
  readonly text: string;
  /** What the answer must be, as JSON Schema. */
  readonly schema: JsonObject;
  /** The attempt of the run that asks. */
  readonly attempt?: number | undefined;
  /** Stands for this question of this attempt, calls and arguments included: to be given back with the answer. */
  readonly hash?: string | undefined;
  /** What a person types at a terminal to answer it. */
  readonly command?: string | undefined;
  /** Of kind `approval`: the answer holds for all of them. */
  readonly calls?: readonly AskedCall[] | undefined;
}

/** What people said: an answer, or that they will not give one. */
export type PeopleAnswer = { readonly answer: Json } | { readonly isDeclined: true };
