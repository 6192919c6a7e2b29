// Renders an error for people: what happened and where, then the next step; what a server or installer said with --verbose.
import type { CoordinatorError, ProgramDiagnostic, RunError } from "../../../contracts/index.js";
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

const indent = "      ";

/** What a process printed before it failed. */
const readOutput = ({ details }: PlainError): readonly string[] => {
  const { stderr, output } = (details ?? {}) as { readonly stderr?: unknown; readonly output?: unknown };
  const text = typeof stderr === "string" ? stderr : typeof output === "string" ? output : "";
  return toPlainText(text)
    .split("\n")
    .filter((line) => line.trim() !== "");
};

const readCause = (error: PlainError): string | undefined => {
  const { cause } = error;
  if (!(cause instanceof Error)) return undefined;
  // The stack of our own failure belongs in a bug report. That of a disk or a network error helps nobody.
  return error.code === "INTERNAL" ? (cause.stack ?? cause.message) : cause.message;
};

const noteMessage = (screen: Screen, message: string): void => {
  const [first = "", ...more] = toPlainText(message).split("\n");
  screen.note(`${screen.styleNote("red", "error")} ${first}`);
  for (const line of more) screen.note(`${indent}${line}`);
};

const noteHint = (screen: Screen, hint: string): void => {
  if (hint !== "") screen.note(`${screen.styleNote("cyan", "hint")}  ${toPlainText(withOwnCommand(hint))}`);
};

const toPlace = (file: string | undefined, line: number): string =>
  `${file === undefined ? "" : `${file}, `}line ${line}`;

interface Place {
  readonly file?: string | undefined;
  readonly line: number;
  /** Undefined: a guardrail withholds it. */
  readonly excerpt?: string | undefined;
  readonly function?: string | undefined;
}

const renderPlace = ({ file, line, excerpt, function: name }: Place): string => {
  // A program that ends too early is wrong at its empty last line.
  const quoted =
    excerpt === undefined ? "" : excerpt.trim() === "" ? " (the line is empty)" : `: ${excerpt.trim()}`;
  return `${toPlace(file, line)}${name === undefined ? "" : ` in ${name}`}${quoted}`;
};

/** Writes an error to stderr. */
export const noteError = (screen: Screen, error: PlainError): void => {
  noteMessage(screen, error.message);
  const { stateFolder, pointer, ...place } = (error.details ?? {}) as Partial<
    Readonly<Record<keyof Place | "stateFolder" | "pointer", unknown>>
  >;
  if (typeof place.line === "number" && typeof place.excerpt === "string")
    screen.note(`${indent}${toPlainText(`at ${renderPlace(place as Place)}`)}`);
  if (typeof pointer === "string")
    for (const line of toPlainText(pointer).split("\n")) screen.noteWhole(`${indent}${line}`);
  if (typeof stateFolder === "string")
    screen.note(`${indent}The state folder is ${toPlainText(stateFolder)}`);
  noteHint(screen, error.hint);
  const output = readOutput(error);
  if (!screen.isVerbose) {
    if (output.length > 1)
      screen.note(screen.styleNote("dim", `${indent}--verbose shows the ${output.length} lines it printed`));
    return;
  }
  screen.note(`code  ${error.code}, explained in docs/errors.md`);
  for (const line of output) screen.note(screen.styleNote("dim", `${indent}│ ${line}`));
  const cause = readCause(error);
  if (cause !== undefined) screen.note(`cause ${toPlainText(cause)}`);
};

/** One finding of the check in lines: what is wrong and where, the source line, how to fix it. */
export const renderDiagnostic = (
  { severity, file, line, column, message, hint = "", excerpt }: ProgramDiagnostic,
  style: Screen["style"],
): readonly string[] => [
  `${style(severity === "error" ? "red" : "yellow", severity)} ${toPlainText(`${toPlace(file, line)}, column ${column}: ${message}`)}`,
  `  ${style("dim", toPlainText(excerpt))}`,
  ...hint
    .split("\n")
    .filter((text) => text !== "")
    .map((text) => `  ${toPlainText(text)}`),
];

/** How many findings a cut list leaves out. */
export const renderOmitted = (omitted: number | undefined): readonly string[] =>
  omitted === undefined || omitted === 0
    ? []
    : [`and ${omitted} more; correct these first, then check it again`];

/** The findings of a refused program; empty for any other failure. */
const listFindings = ({ code, details }: RunError): readonly ProgramDiagnostic[] =>
  (code === "PROGRAM_INVALID" || code === "SKILL_BROKEN") && Array.isArray(details)
    ? (details as readonly ProgramDiagnostic[]).filter(({ severity }) => severity === "error")
    : [];

/** Why a program did not complete: every error of the check, or what it threw with the lines that led there. */
export const noteFailure = (screen: Screen, error: RunError): void => {
  const findings = listFindings(error);
  if (findings.length > 0) {
    for (const finding of findings)
      for (const line of renderDiagnostic(finding, screen.styleNote)) screen.note(line);
    for (const line of renderOmitted(error.omitted)) screen.note(line);
    screen.note("Nothing was run.");
    return;
  }
  const { file, line, excerpt, trace = [] } = error;
  const [first, ...callers] = trace;
  const lines = [
    error.message,
    ...(line === undefined ? [] : [`at ${renderPlace({ file, line, excerpt, function: first?.function })}`]),
    ...callers.map((frame) => `called from ${renderPlace(frame)}`),
  ];
  noteError(screen, { ...error, message: lines.join("\n"), details: undefined });
};

/** The same for programs: one JSON document on stdout. */
export const printErrorDocument = (screen: Screen, error: CoordinatorError): void =>
  screen.document({ error: error.toJSON() });
