// Who works on a run: another process, as far as it can be seen, or this one.
import { statSync } from "node:fs";
import type { ProcessIdentity } from "../../contracts/index.js";
import { isAlive, ownIdentity } from "../../processes/index.js";
import { silentMs } from "./journal-file.js";

/** Journals of runs that are open in this process, and of those that it let go of without an end. */
const held = new Set<string>();
const letGo = new Set<string>();

/** Marks a run as worked on here; the returned function ends that. */
export const holdRun = (journalPath: string): ((isSettled: boolean) => void) => {
  held.add(journalPath);
  letGo.delete(journalPath);
  return (isSettled) => {
    held.delete(journalPath);
    if (!isSettled) letGo.add(journalPath);
  };
};

const isOwn = (owner: ProcessIdentity): boolean => {
  const { pid, startedAt, scope } = ownIdentity();
  return owner.pid === pid && owner.startedAt === startedAt && owner.scope === scope;
};

/** Whether someone works on the run. A process that cannot be seen from here shows by touching the journal. */
export const isOwned = (owner: ProcessIdentity | undefined, journalPath: string): boolean => {
  if (owner === undefined) return false;
  if (isOwn(owner)) {
    if (held.has(journalPath)) return true;
    if (letGo.has(journalPath)) return false;
  } else {
    const verdict = isAlive(owner);
    if (verdict !== undefined) return verdict;
  }
  const facts = statSync(journalPath, { throwIfNoEntry: false });
  return facts !== undefined && Date.now() - facts.mtimeMs < silentMs;
};
