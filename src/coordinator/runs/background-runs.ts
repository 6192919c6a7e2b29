// Runs in the background of this process, and the results of the most recent ones.
import type { LogLine, RunResult } from "../../contracts/index.js";

/** A run started here whose result has not been read yet. */
export interface BackgroundRun {
  readonly runId: string;
  /** The run's workspace. Other workspaces cannot find the run. */
  readonly workspace: string;
  readonly startedAt: string;
  readonly logs: LogLine[];
  calls: number;
  readonly ended: Promise<RunResult>;
  result?: RunResult | undefined;
  readonly cancel: () => void;
}

export interface BackgroundRuns {
  readonly add: (run: BackgroundRun) => void;
  readonly find: (runId: string, workspace: string) => BackgroundRun | undefined;
  readonly list: () => readonly BackgroundRun[];
}

/** Results held in memory. Older ones are read from the store. */
const maxHeld = 50;

export const openBackgroundRuns = (): BackgroundRuns => {
  const runs = new Map<string, BackgroundRun>();
  /** Oldest first. A run in progress is never dropped. */
  const ended = new Set<BackgroundRun>();

  const end = (run: BackgroundRun, result: RunResult): void => {
    run.result = result;
    ended.add(run);
    for (const oldest of ended) {
      if (ended.size <= maxHeld) return;
      forget(oldest);
    }
  };
  const forget = (run: BackgroundRun): void => {
    ended.delete(run);
    // A resumed run has the same id.
    if (runs.get(run.runId) === run) runs.delete(run.runId);
  };
  return {
    add: (run) => {
      runs.set(run.runId, run);
      run.ended.then(
        (result) => end(run, result),
        () => forget(run),
      );
    },
    find: (runId, workspace) => {
      const found = runs.get(runId);
      return found?.workspace === workspace ? found : undefined;
    },
    list: () => [...runs.values()],
  };
};
