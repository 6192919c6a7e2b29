// Renders an error for people: what happened, then the next step; more with --verbose.
import type { CoordinatorError } from "../../../contracts/index.js";
import { withOwnCommand } from "../../../coordinator/index.js";
import type { Screen } from "../screen.js";
import { toPlainText } from "./plain-text.js";

interface PlainError {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  readonly details?: unknown;
  readonly cause?: unknown;
}

const causesOf = (error: PlainError): readonly string[] => {
  const causes: string[] = [];
  for (let cause = error.cause; cause !== undefined && causes.length < 5; ) {
    causes.push(`cause: ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}`);
    cause = cause instanceof Error ? cause.cause : undefined;
  }
  return causes;
};

/** Writes an error to stderr. */
export const noteError = (screen: Screen, error: PlainError): void => {
  const [first = "", ...more] = toPlainText(error.message).split("\n");
  screen.note(`${screen.styleNote("red", "error")} ${first}`);
  for (const line of more) screen.note(`      ${line}`);
  const { stateFolder } = (error.details ?? {}) as { readonly stateFolder?: unknown };
  if (typeof stateFolder === "string") screen.note(`      The state folder is ${toPlainText(stateFolder)}`);
  if (error.hint !== "")
    screen.note(`${screen.styleNote("cyan", "hint")}  ${toPlainText(withOwnCommand(error.hint))}`);
  if (!screen.isVerbose) {
    if (error.details !== undefined)
      screen.note(screen.styleNote("dim", "      --verbose shows the details"));
    return;
  }
  screen.note(`code  ${error.code}`);
  if (error.details !== undefined) {
    screen.note(toPlainText(`details: ${JSON.stringify(error.details, undefined, 2)}`));
  }
  for (const cause of causesOf(error)) screen.note(toPlainText(cause));
};

/** The same for programs: one JSON document on stdout. */
export const printErrorDocument = (screen: Screen, error: CoordinatorError): void =>
  screen.document({ error: error.toJSON() });
