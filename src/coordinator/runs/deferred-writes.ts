// Writes what no program waits for (runs without calls, session tasks) in the background, and removes old runs.
import type { EndedRecord, NewRun, NewTask, RunResult, Settings, Workspace } from "../../contracts/index.js";

/** A run that ended before anything was written. */
export interface UnwrittenRun extends NewRun {
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
  readonly writeLater: (run: UnwrittenRun) => void;
  readonly logLater: (task: EndedTask) => void;
  /** A run was written, so older ones may have to be removed. */
  readonly noteWritten: (workspace: string | undefined) => void;
  /** Resolves when everything is written. */
  readonly flush: () => Promise<void>;
  /** Writes everything and removes old runs now. */
  readonly close: () => Promise<void>;
}

/** Runs are written when none has ended for this time: between two runs of `npm run bench -- runs`, writing one costs a fifth of a run. */
const quietMs = 300;
/** They wait no longer than this: other processes list them, too. */
const maxWaitMs = 2000;
/** Finding old runs reads every run. */
const pruneEveryMs = 30_000;

export const openDeferredWrites = (
  openWorkspace: (name?: string) => Promise<Workspace>,
  { keptRuns, keptRunBytes }: Settings["retention"],
): DeferredWrites => {
  /** Workspace → its runs that are not written yet. */
  const waiting = new Map<string | undefined, UnwrittenRun[]>();
  /** Workspaces with new runs, and when each was last cleaned up. */
  const touched = new Set<string | undefined>();
  const prunedAt = new Map<string | undefined, number>();
  let timer: NodeJS.Timeout | undefined;
  let waitingSince = 0;
  let last: Promise<void> = Promise.resolve();

  const inTurn = (work: () => Promise<void>): Promise<void> => {
    // A failed write must not fail a program that has done its work.
    last = last.then(work).catch(() => {});
    return last;
  };
  const writeRun = async ({ workspace, seed, times, result, ...run }: UnwrittenRun): Promise<void> => {
    const open = await (await openWorkspace(workspace)).runs.begin(run);
    open.value("seed", () => seed);
    if (times !== undefined) open.value("times", () => times);
    const { status, durationMs } = result;
    await open.end({ status: toEndedStatus(status), durationMs, result: toStoredResult(result) });
    touched.add(workspace);
  };
  const isRecent = (workspace: string | undefined): boolean =>
    performance.now() - (prunedAt.get(workspace) ?? Number.NEGATIVE_INFINITY) < pruneEveryMs;
  const prune = async (workspaces: readonly (string | undefined)[]): Promise<void> => {
    for (const workspace of workspaces) {
      touched.delete(workspace);
      prunedAt.set(workspace, performance.now());
      await (await openWorkspace(workspace)).runs.prune({ runs: keptRuns, bytes: keptRunBytes });
    }
  };
  const pruneSometimes = (): Promise<void> => prune([...touched].filter((workspace) => !isRecent(workspace)));

  const writeAll = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    for (const runs of waiting.values()) for (const run of runs) void inTurn(() => writeRun(run));
    waiting.clear();
    return inTurn(pruneSometimes);
  };

  return {
    writeLater: (run) => {
      const runs = waiting.get(run.workspace) ?? [];
      waiting.set(run.workspace, runs);
      runs.push(run);
      // Runs beyond the retention limit need not be written.
      if (runs.length > keptRuns) runs.shift();
      if (timer === undefined) {
        waitingSince = performance.now();
        timer = setTimeout(() => void writeAll(), quietMs).unref();
      } else if (performance.now() - waitingSince < maxWaitMs) timer.refresh();
    },
    logLater: ({ workspace, session, ...task }) =>
      void inTurn(async () => {
        const { sessions } = await openWorkspace(workspace);
        await sessions.begin(session);
        await sessions.addTask(session, task);
      }),
    noteWritten: (workspace) => {
      touched.add(workspace);
      void inTurn(pruneSometimes);
    },
    flush: writeAll,
    close: async () => {
      await writeAll();
      await inTurn(() => prune([...touched]));
    },
  };
};

/** A stored result. Check findings are recomputed when needed, and images are stored separately. */
export const toStoredResult = ({ manifest: _, warnings: __, shown, ...result }: RunResult): never =>
  ({ ...result, calls: [], shown: shown && { ...shown, images: [], media: undefined } }) as never;

/** A run without a journal cannot wait: it has ended. */
const toEndedStatus = (status: RunResult["status"]): EndedRecord["status"] =>
  status === "paused" ? "stopped" : status;
