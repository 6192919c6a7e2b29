// Keeps the number and the size of runs within bounds: the oldest go, those that can still go on last of all.
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { RunSummary, Runs } from "../../contracts/index.js";
import { checkBound } from "../removal-bounds.js";
import { listPlaces, type RunPlace } from "./run-files.js";

interface Place {
  readonly root: string;
  readonly list: Runs["list"];
  readonly remove: Runs["remove"];
  readonly placeOf: (runId: string) => RunPlace;
}

const sizeOf = async (path: string): Promise<number> => {
  const facts = await stat(path).catch(() => undefined);
  return facts?.isFile() === true ? facts.size : 0;
};

/** A run's journal, and what lies in its folder. */
const sizeOfRun = async ({ journal, folder }: RunPlace, hasFolder: boolean): Promise<number> => {
  const names = hasFolder ? await readdir(folder, { recursive: true }).catch(() => []) : [];
  const sizes = await Promise.all([journal, ...names.map((name) => join(folder, name))].map(sizeOf));
  return sizes.reduce((sum, size) => sum + size, 0);
};

/** What goes first: what has ended, and of that the oldest. */
const isSettled = ({ status }: RunSummary): boolean =>
  status === "completed" || status === "failed" || status === "stopped";

export const pruneRuns = async (
  { root, list, remove, placeOf }: Place,
  bounds: { readonly runs: number; readonly bytes: number },
): Promise<{ readonly removed: readonly string[] }> => {
  const maxRuns = checkBound("number of runs", bounds.runs);
  const maxBytes = checkBound("size of runs", bounds.bytes);
  const runs = await list();
  const sizes = new Map<string, number>();
  const places = await listPlaces(root);
  const withFolder = new Set(places.filter(({ hasFolder }) => hasFolder).map(({ folder }) => folder));
  for (const { runId } of runs) {
    const place = placeOf(runId);
    sizes.set(runId, await sizeOfRun(place, withFolder.has(place.folder)));
  }
  let bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  let count = runs.length;
  const oldestFirst = runs.toReversed().filter(({ status }) => status !== "running");
  const candidates = [...oldestFirst.filter(isSettled), ...oldestFirst.filter((run) => !isSettled(run))];
  const removed: string[] = [];
  for (const { runId } of candidates) {
    if (count <= maxRuns && bytes <= maxBytes) break;
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
