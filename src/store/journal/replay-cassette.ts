// A cassette as a run that answers and keeps nothing.
import { CoordinatorError, type OpenCassette } from "../../contracts/index.js";
import { type Cassette, readResultOf } from "./cassette.js";
import { foldJournal } from "./fold-journal.js";
import { openRun } from "./open-run.js";
import { openSideMemory } from "./run-texts.js";

export const replayCassette = ({ language, code, enclosed, records }: Cassette): OpenCassette => {
  const [started] = records;
  if (started?.type !== "started")
    throw new CoordinatorError(
      "CASSETTE_INVALID",
      "Cannot replay the cassette: it does not tell how the run started",
    );
  const journal = foldJournal(records, () => true);
  const port = {
    append: () => undefined,
    appendLater: () => undefined,
    texts: openSideMemory(),
    close: () => undefined,
  };
  const result = readResultOf(records);
  return {
    language,
    code,
    rights: journal.rights,
    ...(result === undefined ? {} : { result }),
    ...(enclosed === undefined ? {} : { enclosed }),
    run: openRun(port, { ...journal, attempt: journal.attempt + 1 }, { isOffline: true }),
  };
};
