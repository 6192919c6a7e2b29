// Keeps the number and the size of runs within bounds: the oldest go, those that can still go on last of all.
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { RunSummary, Runs } from "../../contracts/index.js";

interface Place {
  readonly root: string;
  readonly list: Runs["list"];
  readonly remove: Runs["remove"];
  readonly folderOf: (runId: string) => string;
}

const sizeOf = async (folder: string): Promise<number> => {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        (facts) => (facts.isFile() ? facts.size : 0),
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
};

/** What goes first: what has ended, and of that the oldest. */
const isSettled = ({ status }: RunSummary): boolean =>
  status === "completed" || status === "failed" || status === "stopped";

export const pruneRuns = async (
  { list, remove, folderOf }: Place,
  bounds: { readonly runs: number; readonly bytes: number },
): Promise<{ readonly removed: readonly string[] }> => {
  const runs = await list();
  const sizes = new Map<string, number>();
  for (const { runId } of runs) sizes.set(runId, await sizeOf(folderOf(runId)));
  let bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  let count = runs.length;
  const oldestFirst = runs.toReversed().filter(({ status }) => status !== "running");
  const candidates = [...oldestFirst.filter(isSettled), ...oldestFirst.filter((run) => !isSettled(run))];
  const removed: string[] = [];
  for (const { runId } of candidates) {
    if (count <= bounds.runs && bytes <= bounds.bytes) break;
    // One that was taken up again meanwhile stays.
    const isGone = await remove(runId).then(
      () => true,
      () => false,
    );
    if (!isGone) continue;
    removed.push(runId);
    count -= 1;
    bytes -= sizes.get(runId) ?? 0;
  }
  return { removed };
};
