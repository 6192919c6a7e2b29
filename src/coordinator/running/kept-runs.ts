// Keeps what need not be kept at once: runs that called nothing, the tasks of sessions; and removes what is too old.
import { setImmediate as nextTurn } from "node:timers/promises";
import type { NewRun, NewTask, RunResult, Settings, Workspace } from "../../contracts/index.js";
import { toEndedStatus, toKept } from "./read-result.js";

/** A run that ended before anything was written of it. */
export interface EndedRun extends NewRun {
  readonly workspace?: string;
  readonly seed: string;
  readonly times?: string;
  readonly result: RunResult;
}

export interface EndedTask extends NewTask {
  readonly workspace?: string;
  readonly session: string;
}

export interface KeptRuns {
  readonly keepLater: (run: EndedRun) => void;
  readonly logLater: (task: EndedTask) => void;
  /** A run was written: others may be too old now. */
  readonly noteKept: (workspace: string | undefined) => void;
  /** Writes all that waits. */
  readonly flush: () => Promise<void>;
}

/** Written when nothing has come for so long, and then it is nobody's time. */
const quietMs = 300;
const longestMs = 5000;
/** Looking for what is too old reads every run. */
const pruneEveryMs = 30_000;

export const openKeptRuns = (
  openWorkspace: (name?: string) => Promise<Workspace>,
  { keptRuns, keptRunBytes }: Settings["retention"],
): KeptRuns => {
  let runs: EndedRun[] = [];
  let tasks: EndedTask[] = [];
  const touched = new Map<string | undefined, number>();
  let timer: NodeJS.Timeout | undefined;
  let waitingSince = 0;
  let last: Promise<void> = Promise.resolve();

  const arm = (): void => {
    const now = performance.now();
    if (timer === undefined) waitingSince = now;
    else if (now - waitingSince > longestMs) return;
    clearTimeout(timer);
    timer = setTimeout(() => void flush(), quietMs).unref();
  };

  const writeRun = async ({ workspace, seed, times, result, ...run }: EndedRun): Promise<void> => {
    const open = await (await openWorkspace(workspace)).runs.begin(run);
    open.value("seed", () => seed);
    if (times !== undefined) open.value("times", () => times);
    const { status, durationMs } = result;
    await open.end({ status: toEndedStatus(status), durationMs, result: toKept(result) });
    touch(workspace);
  };
  const writeTask = async ({ workspace, session, ...task }: EndedTask): Promise<void> => {
    const { sessions } = await openWorkspace(workspace);
    await sessions.begin(session);
    await sessions.addTask(session, task);
  };
  const touch = (workspace: string | undefined): void => {
    if (!touched.has(workspace)) touched.set(workspace, 0);
  };
  const prune = async (): Promise<void> => {
    for (const [workspace, prunedAt] of touched) {
      if (prunedAt !== 0 && performance.now() - prunedAt < pruneEveryMs) continue;
      touched.set(workspace, performance.now());
      await (await openWorkspace(workspace)).runs.prune({ runs: keptRuns, bytes: keptRunBytes });
    }
  };

  const write = async (): Promise<void> => {
    const [someRuns, someTasks] = [runs, tasks];
    runs = [];
    tasks = [];
    // What cannot be kept is not worth the failure of a program that has done its work.
    for (const run of someRuns) {
      await writeRun(run).catch(() => {});
      await nextTurn();
    }
    for (const task of someTasks) await writeTask(task).catch(() => {});
    await prune().catch(() => {});
  };
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    last = last.then(write);
    return last;
  };

  return {
    keepLater: (run) => {
      runs.push(run);
      // More than are kept at all need not be written first.
      if (runs.length > keptRuns) runs.shift();
      arm();
    },
    logLater: (task) => {
      tasks.push(task);
      arm();
    },
    noteKept: (workspace) => {
      touch(workspace);
      arm();
    },
    flush,
  };
};
