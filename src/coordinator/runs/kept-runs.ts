// Keeps what need not be kept at once: runs that called nothing, the tasks of sessions; and removes what is too old.
import { setImmediate as nextTurn } from "node:timers/promises";
import type { NewRun, NewTask, RunResult, Settings, Workspace } from "../../contracts/index.js";
import { toEndedStatus, toKept } from "./read-result.js";

/** A run that ended before anything was written of it. */
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

export interface KeptRuns {
  /** A run begins: what waits, waits on. */
  readonly giveWay: () => void;
  readonly keepLater: (run: EndedRun) => void;
  readonly logLater: (task: EndedTask) => void;
  /** A run was written: others may be too old now. */
  readonly noteKept: (workspace: string | undefined) => void;
  /** Writes all that waits. */
  readonly flush: () => Promise<void>;
  /** The same, and removes what is too old, however long ago that was done. */
  readonly close: () => Promise<void>;
}

/** Written when nothing has come for so long, and then it is nobody's time. */
const quietMs = 300;
/** And after so long in any case. */
const longestMs = 5000;
/** Looking for what is too old reads every run. */
const pruneEveryMs = 30_000;

export const openKeptRuns = (
  openWorkspace: (name?: string) => Promise<Workspace>,
  { keptRuns, keptRunBytes }: Settings["retention"],
): KeptRuns => {
  const runs: EndedRun[] = [];
  const tasks: EndedTask[] = [];
  /** The workspaces that have new runs, and when each was looked at last. */
  const touched = new Set<string | undefined>();
  const prunedAt = new Map<string | undefined, number>();
  let isClosing = false;
  let timer: NodeJS.Timeout | undefined;
  let waitingSince: number | undefined;
  let disturbedAt = 0;
  /** Counts what came: who writes stops for it. */
  let arrivals = 0;
  let last: Promise<void> = Promise.resolve();

  const isOverdue = (): boolean => waitingSince !== undefined && performance.now() - waitingSince > longestMs;

  /** Begins to wait for a quiet moment. What comes meanwhile notes only when it came: runs are many, and a timer costs each of them. */
  const arm = (): void => {
    waitingSince ??= performance.now();
    disturbedAt = performance.now();
    timer ??= setTimeout(look, quietMs).unref();
  };
  const look = (): void => {
    const quietFor = performance.now() - disturbedAt;
    if (quietFor < quietMs && !isOverdue()) {
      timer = setTimeout(look, quietMs - quietFor).unref();
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
    await open.end({ status: toEndedStatus(status), durationMs, result: toKept(result) });
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
    // What cannot be kept is not worth the failure of a program that has done its work.
    for (let run = runs.shift(); run !== undefined; run = runs.shift()) {
      await writeRun(run).catch(() => {});
      await nextTurn();
      if (isDisturbed()) return arm();
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
    giveWay: () => {
      arrivals++;
      disturbedAt = performance.now();
    },
    keepLater: (run) => {
      arrivals++;
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
      touched.add(workspace);
      arm();
    },
    flush: () => writeNext(() => false),
    close: () => {
      isClosing = true;
      return writeNext(() => false);
    },
  };
};
