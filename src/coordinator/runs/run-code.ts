// Runs a program. Every run passes through here: fresh, in the background, resumed, committed, replayed, of a skill or of a test.
import { type Journal, type RunRequest, type RunResult, toCoordinatorError } from "../../contracts/index.js";
import { checkPrepared } from "../checks/check-code.js";
import type { Host } from "../host/host.js";
import { admit, openRun } from "./admit.js";
import { execute } from "./execute.js";
import { link } from "./link.js";
import { openNewJournal, withoutJournal } from "./new-journal.js";
import { prepare } from "./prepare.js";
import { present } from "./present.js";
import { record } from "./record.js";
import { toRefusedResult, toUncheckedResult } from "./to-run-result.js";

export interface RunOptions {
  /** Opens the journal that records the run's calls, or answers them. @default a new one */
  readonly openJournal?: ((request: RunRequest) => Journal) | undefined;
  /** Do not count this run in usage statistics, and store no journal unless one is given. */
  readonly isTest?: boolean | undefined;
}

export const runCode = async (
  host: Host,
  request: RunRequest,
  { isTest = false, ...options }: RunOptions = {},
): Promise<RunResult> => {
  const journal =
    options.openJournal?.(request) ?? (isTest ? withoutJournal() : openNewJournal(host, request));
  const run = openRun(host, request, journal);
  try {
    const admitted = await admit(run);
    const prepared = await prepare(admitted);
    const check =
      admitted.request.isChecked === false
        ? undefined
        : await checkPrepared(admitted.host, admitted.request, { ...prepared, isAsked: false });
    if (check?.diagnostics.some(({ severity }) => severity === "error") === true)
      return await record(run, toUncheckedResult({ ...run, check }));
    run.endCheck();
    const linked = await link(admitted, prepared);
    const executed = await execute(admitted, linked, check);
    const result = await present(admitted, { ...prepared, ...executed, check, isTest });
    return await record(run, result, executed.outcome.times);
  } catch (thrown) {
    const error = toCoordinatorError(thrown);
    if (error.kind !== "host") return await record(run, toRefusedResult({ ...run, error }));
    journal.close();
    throw error;
  } finally {
    run.endCheck();
  }
};
