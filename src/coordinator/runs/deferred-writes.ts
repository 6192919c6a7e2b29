// Defers writes that are not urgent (runs without calls, session tasks) to a quiet moment, and removes old runs.
import { setImmediate as nextTurn } from "node:timers/promises";
import type { NewRun, NewTask, RunResult, Settings, Workspace } from "../../contracts/index.js";
import { toEndedStatus, toStoredResult } from "./read-result.js";

/** A run that ended before anything was written. */
export interface EndedRun extends NewRun {
  readonly workspace?: string | undefined;
  readonly seed: string;
  readonly times?: string | undefined;
  readonly result: RunResult;
}

export interface EndedTask extends NewTask {
  readonly workspace?: string | undefined;
  readonly session: string;
}

export interface DeferredWrites {
  /** A run begins: postpone pending writes. */
  readonly postpone: () => void;
  readonly writeLater: (run: EndedRun) => void;
  readonly logLater: (task: EndedTask) => void;
  /** A run was written, so older ones may have to be removed. */
  readonly noteWritten: (workspace: string | undefined) => void;
  /** Writes everything that is pending. */
  readonly flush: () => Promise<void>;
  /** Writes everything and removes old runs now. */
  readonly close: () => Promise<void>;
}

/** Write after this much quiet. */
const quietMs = 300;
/** Write after this long in any case. */
const maxDelayMs = 5000;
/** Finding old runs reads every run. */
const pruneEveryMs = 30_000;

export const openDeferredWrites = (
  openWorkspace: (name?: string) => Promise<Workspace>,
  { keptRuns, keptRunBytes }: Settings["retention"],
): DeferredWrites => {
  const runs: EndedRun[] = [];
  const tasks: EndedTask[] = [];
  /** Workspaces with new runs, and when each was last cleaned up. */
  const touched = new Set<string | undefined>();
  const prunedAt = new Map<string | undefined, number>();
  let isClosing = false;
  let timer: NodeJS.Timeout | undefined;
  let waitingSince: number | undefined;
  let disturbedAt = 0;
  /** Counts arrivals: a write in progress pauses for them. */
  let arrivals = 0;
  let last: Promise<void> = Promise.resolve();

  const isOverdue = (): boolean =>
    waitingSince !== undefined && performance.now() - waitingSince > maxDelayMs;

  /** Waits for a quiet moment. Later arrivals only record their time, because a timer per run would cost too much. */
  const writeWhenQuiet = (): void => {
    waitingSince ??= performance.now();
    disturbedAt = performance.now();
    timer ??= setTimeout(writeIfQuiet, quietMs).unref();
  };
  const writeIfQuiet = (): void => {
    const quietFor = performance.now() - disturbedAt;
    if (quietFor < quietMs && !isOverdue()) {
      timer = setTimeout(writeIfQuiet, quietMs - quietFor).unref();
      return;
    }
    const seen = arrivals;
    void writeNext(() => arrivals !== seen && !isOverdue());
  };

  const writeRun = async ({ workspace, seed, times, result, ...run }: EndedRun): Promise<void> => {
    const open = await (await openWorkspace(workspace)).runs.begin(run);
    open.value("seed", () => seed);
    if (times !== undefined) open.value("times", () => times);
    const { status, durationMs } = result;
    await open.end({ status: toEndedStatus(status), durationMs, result: toStoredResult(result) });
    touched.add(workspace);
  };
  const writeTask = async ({ workspace, session, ...task }: EndedTask): Promise<void> => {
    const { sessions } = await openWorkspace(workspace);
    await sessions.begin(session);
    await sessions.addTask(session, task);
  };
  const isRecent = (workspace: string | undefined): boolean =>
    performance.now() - (prunedAt.get(workspace) ?? Number.NEGATIVE_INFINITY) < pruneEveryMs;
  const prune = async (): Promise<void> => {
    for (const workspace of touched) {
      if (!isClosing && isRecent(workspace)) continue;
      touched.delete(workspace);
      prunedAt.set(workspace, performance.now());
      await (await openWorkspace(workspace)).runs.prune({ runs: keptRuns, bytes: keptRunBytes });
    }
  };

  const write = async (isDisturbed: () => boolean): Promise<void> => {
    // A failed write must not fail a program that has done its work.
    for (let run = runs.shift(); run !== undefined; run = runs.shift()) {
      await writeRun(run).catch(() => {});
      await nextTurn();
      if (isDisturbed()) return writeWhenQuiet();
    }
    waitingSince = undefined;
    for (const task of tasks.splice(0)) await writeTask(task).catch(() => {});
    await prune().catch(() => {});
  };
  const writeNext = (isDisturbed: () => boolean): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    last = last.then(() => write(isDisturbed));
    return last;
  };

  return {
    postpone: () => {
      arrivals++;
      disturbedAt = performance.now();
    },
    writeLater: (run) => {
      arrivals++;
      runs.push(run);
      // Runs beyond the retention limit need not be written.
      if (runs.length > keptRuns) runs.shift();
      writeWhenQuiet();
    },
    logLater: (task) => {
      tasks.push(task);
      writeWhenQuiet();
    },
    noteWritten: (workspace) => {
      touched.add(workspace);
      writeWhenQuiet();
    },
    flush: () => writeNext(() => false),
    close: () => {
      isClosing = true;
      return writeNext(() => false);
    },
  };
};
