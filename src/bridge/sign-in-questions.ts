// The question of a call that needs a sign-in. Only a sign-in counts as a yes.
import type { CoordinatorError, PeopleAnswer, RunQuestion } from "../contracts/index.js";

/** Servers choose the names of scopes. They become part of our sentence, so they must look like names. */
const scopeName = /^[\w:./*-]{1,100}$/;
const maxScopes = 10;

/** The question of a call that a server refused without a sign-in; undefined for any other error. */
export const askSignIn = (
  { code, details }: Pick<CoordinatorError, "code" | "details">,
  since: number,
): RunQuestion | undefined => {
  const { server, scopes } = (details ?? {}) as {
    readonly server?: string;
    readonly scopes?: readonly string[];
  };
  if (code !== "SIGN_IN_NEEDED" || server === undefined) return undefined;
  const shown = scopes?.slice(0, maxScopes).map((scope) => (scopeName.test(scope) ? scope : "…"));
  const rights = shown === undefined ? "" : `, with more rights (${shown.join(" ")})`;
  const text = `Sign in to "${server}"${rights}`;
  return { kind: "sign-in", server, text, since, schema: { type: "boolean" } };
};

/** The error after a person declined to sign in. */
export const isRefusal = (given: PeopleAnswer | undefined): boolean =>
  given !== undefined && !("answer" in given && given.answer === true);
