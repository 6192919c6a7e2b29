// The journal of a resumed run: answers the calls that were already made, then writes down the new ones.
import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import {
  type CallReply,
  CoordinatorError,
  type GuestAnswer,
  type IssuedCall,
  type Journal,
  type Json,
  type RecordedRun,
  type RunRequest,
  type StoredJournal,
} from "../../contracts/index.js";
import type { Host } from "../host/host.js";
import { beginSessionRun, endSessionRun } from "../sessions/session-history.js";
import { isAnswered } from "./answer-question.js";
import { endRun, logTask, markResumable, newSeed } from "./new-journal.js";
import { toUndoId } from "./read-undo.js";
import type { ResumeRequest } from "./resume-run.js";

/** Concurrent calls arrive within this time of each other, if their servers are ready. */
const overtakenMs = 50;
const stepMs = 10;
const maxOvertakenMs = 10_000;

const nothing: GuestAnswer = { status: "answered", format: "json", body: "null" };

/** Opened when the program is about to start, so that a refused program does not change the run. */
export const openResumedJournal = (
  host: Host,
  {
    runId,
    code,
    workspace,
    onDivergence = "stop",
    uncertain = "stop",
    refreshReads = false,
    ...rest
  }: ResumeRequest,
  before: RecordedRun,
  request: RunRequest,
  restoreSession?: () => Promise<void>,
): Journal => {
  let run: StoredJournal | undefined;
  let left = before.calls.length;
  const find = (): StoredJournal => {
    if (run !== undefined) return run;
    throw new CoordinatorError("INTERNAL", `Cannot resume the run "${runId}": it was not opened`);
  };
  const open = async (): Promise<StoredJournal> => {
    const { runs } = await host.openWorkspace(workspace);
    run ??= await runs.resume(runId, {
      code,
      onDifference: onDivergence === "fork" ? "continue" : "stop",
      onUncertain: uncertain === "repeat" ? "repeat" : "stop",
      refreshReads,
      afterAttempt: isAnswered(rest) ? before.attempt : undefined,
      undoneBy: toUndoId(runId),
    });
    return run;
  };
  let stopped: CoordinatorError | undefined;
  let last: Promise<void> | undefined;
  /**
   * Of concurrent calls, one whose server was slow may have been overtaken by others, and never been recorded. So a call that the journal
   * does not expect waits until the program's other calls are issued.
   */
  const settle = async (call: IssuedCall, first: CallReply): Promise<CallReply> => {
    const endsAt = performance.now() + maxOvertakenMs;
    let turn = first;
    for (let waitedMs = 0; turn.kind === "differs" && waitedMs < overtakenMs; ) {
      if (stopped !== undefined || performance.now() > endsAt) break;
      const leftBefore = left;
      await delay(stepMs);
      turn = await find().issue(call);
      waitedMs = left !== leftBefore || call.hasOthers?.() === true ? 0 : waitedMs + stepMs;
    }
    return turn;
  };
  return {
    runId,
    start: async () => {
      await restoreSession?.();
      beginSessionRun(host, request, runId);
      return readOrigin(await open(), before);
    },
    store: async () => void (await open()),
    approvals: before.approvals,
    approve: (approval) => find().approve(approval),
    issue: async (call, times) => {
      const earlier = last;
      const { promise: known, resolve: markKnown } = Promise.withResolvers<void>();
      if (left > 0) last = known;
      await earlier;
      if (stopped !== undefined) throw stopped;
      const issued = find().issue(call);
      // Of several concurrent calls, the next must wait until this one is known not to stop the run.
      Promise.race([issued, nextTurn()])
        .then(() => nextTurn())
        .catch(() => {})
        .finally(markKnown);
      const turn = await settle(call, await issued);
      if (stopped !== undefined) throw stopped;
      if (turn.kind === "answered") {
        left--;
        return turn;
      }
      if (turn.kind === "fresh") {
        // A repeated read is not a new step. Any other call is where the journal ends.
        left = refreshReads && call.effect === "read" ? left - 1 : 0;
        for (const text of times) find().value("times", () => text);
        return turn;
      }
      if (turn.kind === "uncertain" && uncertain === "skip") {
        const { sequence } = turn;
        await find().answer(sequence, { decision: "allowed", answer: nothing, durationMs: 0 });
        left--;
        return { kind: "answered", sequence, answer: nothing };
      }
      stopped =
        turn.kind === "differs" ? diverged(before, turn, call.arguments) : toUncertainError(runId, turn);
      throw stopped;
    },
    release: (sequence) => find().release(sequence),
    ask: (sequence, input) => find().ask(sequence, input),
    answer: (sequence, ended) => find().answer(sequence, ended),
    print: request.isBackground === true ? (line) => run?.print(line) : undefined,
    isStopRequested: async () => run?.isStopRequested() ?? false,
    isReplaying: () => left > 0,
    mark: (result) => markResumable(result, true, run?.attempt),
    end: async (result, times) => {
      endSessionRun(host, request, runId);
      if (run === undefined) return result;
      await endRun(run, result, times);
      host.deferred.noteWritten(workspace);
      logTask(host, request, result);
      return result;
    },
    close: () => {
      endSessionRun(host, request, runId);
      run?.close();
    },
  };
};

/** The seed and clock readings of a run. Earlier readings are skipped, so that new ones follow them. */
const readOrigin = (run: StoredJournal, { values, calls }: RecordedRun) => {
  const seed = String(run.value("seed", newSeed).value);
  const recorded = values
    .filter(({ name }) => name === "times")
    .sort((one, other) => one.index - other.index);
  for (let index = 0; index <= (recorded.at(-1)?.index ?? -1); index++) run.value("times", () => "0");
  return { seed, times: joinTimes(recorded.map(({ value }) => String(value))), calls: calls.length };
};

const diverged = (
  { runId, calls }: RecordedRun,
  { difference }: Extract<CallReply, { kind: "differs" }>,
  found: Json,
): CoordinatorError => {
  const expected = calls.find(({ intent }) => intent.sequence === difference.sequence)?.intent.arguments;
  const given =
    expected === undefined
      ? ""
      : ` (then ${shorten(JSON.stringify(expected))}, now ${shorten(JSON.stringify(found))})`;
  const message = `Cannot resume the run "${runId}": ${difference.message}${given}`;
  return new CoordinatorError("RUN_DIVERGED", message, { details: difference });
};

const shorten = (text: string): string => (text.length > 120 ? `${text.slice(0, 120)}…` : text);

const toUncertainError = (
  runId: string,
  { message, sequence, call }: Extract<CallReply, { kind: "uncertain" }>,
) =>
  new CoordinatorError("RUN_UNCERTAIN", `Cannot resume the run "${runId}": ${message}`, {
    details: { sequence, server: call.intent.server, tool: call.intent.tool },
  });

/**
 * Each text is a count of readings, then pairs of a reading's number and its time. A reading recorded twice, because a call was
 * repeated, is the same reading. Where the program took another path, the later text counts.
 */
export const joinTimes = (texts: readonly string[]): string => {
  const readings = new Map<number, string>();
  let count = 0;
  for (const text of texts) {
    const [counted = "0", ...parts] = text.split(",");
    count = Math.max(count, Number(counted));
    for (let at = 0; at + 1 < parts.length; at += 2) readings.set(Number(parts[at]), parts[at + 1] ?? "");
  }
  if (count === 0) return "";
  const pairs = [...readings].sort(([one], [other]) => one - other);
  return [count, ...pairs.flat()].join(",");
};
