// The journal of a cassette: answers every call from the recording and stores nothing.
import { CoordinatorError, type Journal, type OpenCassette } from "../../contracts/index.js";
import { newSeed } from "./new-journal.js";
import { joinTimes } from "./resumed-journal.js";

export const openCassetteJournal = (runId: string, { run }: OpenCassette): Journal => ({
  runId,
  start: async () => {
    const times: string[] = [];
    for (;;) {
      const { value, isReplayed } = run.value("times", () => "");
      if (!isReplayed)
        return {
          seed: String(run.value("seed", newSeed).value),
          times: joinTimes(times),
          // Everything it does is in the recording.
          calls: Number.MAX_SAFE_INTEGER,
        };
      times.push(String(value));
    }
  },
  issue: async (call) => {
    const turn = await run.issue(call);
    if (turn.kind === "answered" || turn.kind === "fresh") return turn;
    const [code, why] =
      turn.kind === "differs"
        ? (["RUN_DIVERGED", turn.difference.message] as const)
        : (["RUN_UNCERTAIN", turn.message] as const);
    throw new CoordinatorError(code, `Cannot replay the recording: ${why}`);
  },
  release: run.release,
  ask: run.ask,
  answer: run.answer,
  isReplaying: () => true,
  mark: (result) => result,
  end: async (result) => result,
  close: run.close,
});
