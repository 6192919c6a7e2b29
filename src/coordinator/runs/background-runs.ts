// The runs that were started here and are not waited for, and the results of the last of them.
import type { LogLine, RunResult } from "../../contracts/index.js";

/** A run that was started here and whose result nobody has taken yet. */
export interface BackgroundRun {
  readonly runId: string;
  /** Whose it is: an id of another workspace leads nowhere. */
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

/** Results that are held for those who ask; older ones are read from the store. */
const mostHeld = 50;

export const openBackgroundRuns = (): BackgroundRuns => {
  const runs = new Map<string, BackgroundRun>();
  /** Oldest first; a run that is under way is never forgotten. */
  const ended = new Set<BackgroundRun>();

  const end = (run: BackgroundRun, result: RunResult): void => {
    run.result = result;
    ended.add(run);
    for (const oldest of ended) {
      if (ended.size <= mostHeld) return;
      forget(oldest);
    }
  };
  const forget = (run: BackgroundRun): void => {
    ended.delete(run);
    // One that was gone on with has the same id.
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
