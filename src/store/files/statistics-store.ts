// Sums of days as one file a day that every process appends to: no lock to wait for, nothing lost by a crash but its own line.
import { appendFile, mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { StatisticsStore, Tally } from "../../contracts/index.js";
import { writeFileAtomically } from "../write-file-atomically.js";
import { addTallies, emptyTally, parseTallyLine, renderTallyLine } from "./tally-line.js";

interface StatisticsStoreOptions {
  /** Days are kept in `<folder>/statistics`; it is made on the first write. */
  readonly folder: string;
  /** @default Date.now */
  readonly now?: () => number;
}

const dayMs = 24 * 60 * 60 * 1000;
const fileName = /^(\d{4}-\d{2}-\d{2})\.jsonl$/;

const isOver = (day: string, now: number): boolean => now - Date.parse(day) > 3 * dayMs;

/** Opens the store. Nothing is read before it is asked for. */
export const openStatisticsStore = ({ folder, now = Date.now }: StatisticsStoreOptions): StatisticsStore => {
  const place = join(folder, "statistics");

  const readDay = async (day: string): Promise<Tally> => {
    const path = join(place, `${day}.jsonl`);
    const lines = (await readFile(path, "utf8").catch(() => "")).split("\n").filter((line) => line !== "");
    const tally = lines
      .map(parseTallyLine)
      .reduce<Tally>((sum, one) => (one === undefined ? sum : addTallies(sum, one)), emptyTally);
    // Nobody adds to a day that is long over: its lines can become one.
    if (lines.length > 1 && isOver(day, now()))
      await writeFileAtomically(path, renderTallyLine(tally)).catch(() => {});
    return tally;
  };

  return {
    add: async (day, tally) => {
      await mkdir(place, { recursive: true, mode: 0o700 });
      // One write at the file's end: the lines of several processes stand one after the other.
      await appendFile(join(place, `${day}.jsonl`), renderTallyLine(tally), { mode: 0o600 });
    },
    read: async () => {
      const names = await readdir(place).catch(() => []);
      const days = names.flatMap((name) => fileName.exec(name)?.[1] ?? []).sort();
      return Promise.all(days.map(async (day) => ({ day, tally: await readDay(day) })));
    },
  };
};
