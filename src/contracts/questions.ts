// Questions that pause a run until people answer, and the rules for which calls need approval.
import type { Language } from "./executor.js";
import type { Json, JsonObject } from "./json.js";

/** The server name of questions to people in guest calls. No configured server can have it. */
export const peopleServer = "\u0000people";

/** Global names of every program. A server of the same name, or the program's own variable, takes precedence. */
export const peopleNames: Readonly<Record<Language, readonly string[]>> = {
  typescript: ["ask"],
  python: ["ask"],
};

/** A call that needs approval before it is made. */
export interface AskedCall {
  readonly server: string;
  readonly tool: string;
  readonly arguments: JsonObject;
}

export interface RunQuestion {
  readonly kind: "input" | "approval";
  /** For people to read. For kind `input` the program wrote it, so it is no more trusted than the program. */
  readonly text: string;
  /** The JSON Schema of the answer. */
  readonly schema: JsonObject;
  /** The attempt of the run that asks. */
  readonly attempt?: number | undefined;
  /** Identifies this question of this attempt, including calls and arguments. Return it with the answer. */
  readonly hash?: string | undefined;
  /** The terminal command that answers it. */
  readonly command?: string | undefined;
  /** For kind `approval`: the answer applies to all of them. */
  readonly calls?: readonly AskedCall[] | undefined;
}

/** An answer, or that people decline to give one. */
export type PeopleAnswer = { readonly answer: Json } | { readonly isDeclined: true };

export const approvalClasses = ["writes", "destructive"] as const;

/** A word that is not a class and has neither a dot nor a star would match no call. */
export const approvalRule = /[.*]|^(?:writes|destructive)$/;

export const approvalRuleWanted = '"writes", "destructive" or tools as "server.tool", with "*" for any part';
