// Runs a program. Every run passes through here: fresh, in the background, resumed, committed, replayed, of a skill or of a test.
import { askSignIn, isRefusal } from "../../bridge/index.js";
import {
  type CoordinatorError,
  type Journal,
  type RunRequest,
  type RunResult,
  toCoordinatorError,
} from "../../contracts/index.js";
import { checkPrepared } from "../checks/check-code.js";
import type { Host } from "../host/host.js";
import { admit, beginRun, type Run } from "./admit.js";
import { approve } from "./approve.js";
import { type DirectProgram, execute } from "./execute.js";
import { link } from "./link.js";
import { openNewJournal, withoutJournal } from "./new-journal.js";
import { prepare } from "./prepare.js";
import { present, toAskedResult, toInvalidResult, toRefusedResult } from "./present.js";
import { record } from "./record.js";

export interface RunOptions {
  /** Opens the journal that records the run's calls, or answers them. @default a new one */
  readonly openJournal?: ((request: RunRequest) => Journal) | undefined;
  /** Do not count this run in usage statistics, and store no journal unless one is given. */
  readonly isTest?: boolean | undefined;
  /** A single call of the direct surface, which the host carries out instead of a program. */
  readonly direct?: DirectProgram | undefined;
}

/**
 * Pauses the run for a sign-in that a server requires when the program imports it, although the program has not started.
 * Undefined: the error has another reason, the run is not stored, or a person has refused to sign in.
 */
const pauseForSignIn = async (run: Run, error: CoordinatorError): Promise<RunResult | undefined> => {
  const durationMs = performance.now() - run.startedAt;
  const question = askSignIn(error, Date.now() - durationMs);
  if (question === undefined || run.journal.store === undefined) return undefined;
  if (isRefusal(run.journal.findAnswer?.(question))) return undefined;
  await run.journal.store();
  return toAskedResult(run, question);
};

export const runCode = async (
  host: Host,
  request: RunRequest,
  { isTest = false, direct, ...options }: RunOptions = {},
): Promise<RunResult> => {
  const journal =
    options.openJournal?.(request) ?? (isTest ? withoutJournal() : openNewJournal(host, request));
  const run = beginRun(host, request, journal, { isDirect: direct !== undefined, isTest });
  try {
    const admitted = await admit(run);
    if (direct !== undefined) {
      run.endDeadline();
      return await record(run, direct.present(await execute(admitted, direct, undefined), run));
    }
    const prepared = await prepare(admitted);
    const isChecked = admitted.request.isChecked !== false;
    const check = isChecked ? await checkPrepared(admitted.host, admitted.request, prepared) : undefined;
    if (check?.diagnostics.some(({ severity }) => severity === "error") === true)
      return await record(run, toInvalidResult(run, check));
    const decision = await approve(admitted, prepared, check);
    run.endDeadline();
    if ("question" in decision) return await record(run, toAskedResult(run, decision.question, check));
    const linked = await link(admitted, prepared);
    const executed = await execute(admitted, linked, check, { ...decision, adapters: prepared.adapters });
    const result = await present(admitted, { ...prepared, ...executed, check, isTest });
    return await record(run, result, executed.outcome.times);
  } catch (thrown) {
    const error = toCoordinatorError(thrown);
    const paused = await pauseForSignIn(run, error);
    if (paused !== undefined) return await record(run, paused);
    if (error.kind !== "host") return await record(run, toRefusedResult(run, error));
    journal.close(); // Otherwise, `record` closes it.
    throw error;
  } finally {
    run.endDeadline();
  }
};
