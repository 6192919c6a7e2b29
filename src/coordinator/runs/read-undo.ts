// What undoing a run would do: its inverse calls in reverse order, and the calls that have none.
import {
  type CallEffect,
  type InverseCall,
  isHeld,
  isLost,
  type JournalCall,
  parseJson,
  type RunReader,
  type StateCheck,
  toCanonicalJson,
} from "../../contracts/index.js";
import type { Host } from "../host/host.js";
import type { RunReference } from "./list-runs.js";

/** Derived from the run, so that a run is undone once. */
export const toUndoId = (runId: string): string => `${runId}-undo`;

/** One call of a run, and how it is undone. */
export interface UndoStep {
  /** The number of the call in its run. */
  readonly sequence: number;
  readonly server: string;
  readonly tool: string;
  /**
   * `ready`: its inverse call is next or waits its turn. `done`: it was undone. `uncertain`: its inverse call was sent, and its answer was
   * lost. `none`: it cannot be undone.
   */
  readonly state: "ready" | "done" | "uncertain" | "none";
  readonly call?: InverseCall | undefined;
  /** What is read and compared first. */
  readonly check?: StateCheck | undefined;
  /** Why it cannot be undone. */
  readonly reason?: string | undefined;
}

/** The calls that would undo a run, and how far that is done. */
export interface UndoPlan {
  readonly runId: string;
  /** The run that undoes it. */
  readonly undoId: string;
  /** Undefined: it has not begun. */
  readonly undoStatus?: RunReader["recorded"]["status"] | undefined;
  /** In the order in which they are undone. */
  readonly steps: readonly UndoStep[];
}

export const isSameCall = (one: InverseCall, other: InverseCall): boolean =>
  one.server === other.server &&
  one.tool === other.tool &&
  toCanonicalJson(one.arguments) === toCanonicalJson(other.arguments);

/** A program that took the whole result got the tool's error as an answer. */
const isToolError = async (reader: RunReader, call: JournalCall): Promise<boolean> => {
  const answer = await reader.readAnswer(call);
  if (answer.status === "failed") return true;
  if (call.intent.isRaw !== true || !answer.body.includes("isError")) return false;
  return (parseJson(answer.body) as { readonly isError?: unknown } | null)?.isError === true;
};

/** Undefined if there is nothing to undo: it read, failed, was never made, or was made up. */
const toStep = async (reader: RunReader, call: JournalCall): Promise<UndoStep | undefined> => {
  const { intent, answer } = call;
  const { sequence, server, tool } = intent;
  const facts = { sequence, server, tool };
  if (intent.effect === "read" || isHeld(call) || server === "(people)") return undefined;
  const isMade = answer === undefined || answer.decision === "allowed" || answer.decision === "approved";
  if (!isMade) return undefined;
  if (isLost(call))
    return { ...facts, state: "none", reason: "its answer was lost: it may or may not have taken effect" };
  const inverse = await reader.readInverse(call);
  if (inverse === undefined) {
    if (await isToolError(reader, call)) return undefined;
    return { ...facts, state: "none", reason: "no inverse call was declared for it" };
  }
  if ("missing" in inverse) return { ...facts, state: "none", reason: inverse.missing };
  return { ...facts, state: "ready", call: inverse.call, check: inverse.check };
};

/** A policy may write a tool's name and arguments differently than they are called. An undo makes its calls one by one, and no other writes. */
const isInverse = ({ call, check }: UndoStep, made: InverseCall, effect: CallEffect): boolean =>
  call !== undefined &&
  (isSameCall(call, made) || (effect !== "read" && (check === undefined || !isSameCall(check, made))));

/** In the order in which they ended. */
const byEnd = (one: JournalCall, other: JournalCall): number =>
  (one.endedAt ?? Number.POSITIVE_INFINITY) - (other.endedAt ?? Number.POSITIVE_INFINITY) ||
  one.intent.sequence - other.intent.sequence;

/** Marks what an earlier undo of the same run has done. */
const markDone = async (
  steps: readonly UndoStep[],
  undo: RunReader | undefined,
): Promise<readonly UndoStep[]> => {
  if (undo === undefined) return steps;
  const marked = [...steps];
  let next = 0;
  for (const call of undo.recorded.calls.toSorted(byEnd)) {
    const { server, tool, effect } = call.intent;
    const made = { server, tool, arguments: (await undo.readArguments(call)) as InverseCall["arguments"] };
    while (marked[next] !== undefined && marked[next]?.state !== "ready") next++;
    const step = marked[next];
    if (step === undefined || !isInverse(step, made, effect) || isHeld(call)) continue;
    if (isLost(call)) {
      if (effect === "write")
        marked[next] = {
          ...step,
          state: "uncertain",
          reason: "its inverse call was sent, and its answer was lost",
        };
    } else if (call.answer?.answer.status === "answered") marked[next] = { ...step, state: "done" };
  }
  return marked;
};

/** The steps, and the run that undoes them if there is one. */
export const readUndo = async (
  host: Host,
  { runId, workspace }: RunReference,
  reader: RunReader,
): Promise<{ readonly plan: UndoPlan; readonly undo: RunReader | undefined }> => {
  const undoId = toUndoId(runId);
  const { runs } = await host.openWorkspace(workspace);
  const undo = await runs.read(undoId).catch(() => undefined);
  const { calls, abandoned } = reader.recorded;
  // Calls of an earlier program that took another path were made, too.
  const lastFirst = [...calls, ...abandoned].sort((one, other) => byEnd(other, one));
  const found = await Promise.all(lastFirst.map((call) => toStep(reader, call)));
  const steps = await markDone(
    found.filter((step) => step !== undefined),
    undo,
  );
  return { plan: { runId, undoId, undoStatus: undo?.recorded.status, steps }, undo };
};
