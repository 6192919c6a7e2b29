// Usage statistics: one file per day that every process appends to, without a lock, so that a crash loses at most its own line. Also how
// often each tool was called: one small file that all processes of a user change.
import { appendFile, mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type DayTally,
  type Fields,
  isFields,
  type RunOrigin,
  type ServerTally,
  type StatisticsStore,
  type Tally,
  type UseCounts,
} from "../../contracts/index.js";
import { parseFields, parseFormat, writeFileAtomically } from "../file-io.js";
import { withLock } from "../with-lock.js";

interface StatisticsStoreOptions {
  /** Days are stored in `<folder>/statistics`, which the first write creates. */
  readonly folder: string;
  /** @default Date.now */
  readonly now?: (() => number) | undefined;
}

const dayMs = 24 * 60 * 60 * 1000;
const fileName = /^(\d{4}-\d{2}-\d{2})\.jsonl$/;

const isOver = (day: string, now: number): boolean => now - Date.parse(day) > 3 * dayMs;

export const openStatisticsStore = ({ folder, now = Date.now }: StatisticsStoreOptions): StatisticsStore => {
  const place = join(folder, "statistics");

  const readDay = async (day: string): Promise<DayTally> => {
    const path = join(place, `${day}.jsonl`);
    const lines = (await readFile(path, "utf8").catch(() => "")).split("\n").filter((line) => line !== "");
    const parsed = lines.map(parseTallyLine).filter((line) => line !== undefined);
    const addUp = (wanted: RunOrigin): Tally =>
      parsed
        .filter(({ origin }) => origin === wanted)
        .reduce<Tally>((sum, { tally }) => addTallies(sum, tally), emptyTally);
    const [tally, terminal] = [addUp("agent"), addUp("terminal")];
    // Nothing is added to a past day: its lines can be merged.
    if (lines.length > 2 && isOver(day, now())) {
      const merged = renderTallyLine(tally, "agent") + renderTallyLine(terminal, "terminal");
      await writeFileAtomically(path, merged).catch(() => {});
    }
    return { day, tally, terminal };
  };

  return {
    add: async (day, tally, origin = "agent") => {
      await mkdir(place, { recursive: true, mode: 0o700 });
      // One append per tally: lines of several processes never mix.
      await appendFile(join(place, `${day}.jsonl`), renderTallyLine(tally, origin), { mode: 0o600 });
    },
    read: async () => {
      const names = await readdir(place).catch(() => []);
      const days = names.flatMap((name) => fileName.exec(name)?.[1] ?? []).sort();
      return Promise.all(days.map(readDay));
    },
  };
};

const figures = [
  "runs",
  "failedRuns",
  "uncountedRuns",
  "calls",
  "searches",
  "searchTokens",
  "programTokens",
  "returnedTokens",
  "callTokens",
  "answerTokens",
  "keptTokens",
  "savedTokens",
] as const satisfies readonly (keyof Tally)[];
const serverFigures = [
  "calls",
  "callTokens",
  "answerTokens",
] as const satisfies readonly (keyof ServerTally)[];

export const emptyTally: Tally = {
  runs: 0,
  failedRuns: 0,
  uncountedRuns: 0,
  calls: 0,
  searches: 0,
  searchTokens: 0,
  programTokens: 0,
  returnedTokens: 0,
  callTokens: 0,
  answerTokens: 0,
  keptTokens: 0,
  savedTokens: 0,
  servers: {},
};

/** A missing figure counts as 0: another version may have written the line. */
const readFigures = <Name extends string>(fields: Fields, names: readonly Name[]): Record<Name, number> =>
  Object.fromEntries(
    names.map((name) => {
      const value = fields[name];
      return [name, typeof value === "number" && Number.isSafeInteger(value) ? value : 0];
    }),
  ) as Record<Name, number>;

const addFigures = <Name extends string>(
  names: readonly Name[],
  left: Readonly<Record<Name, number>>,
  right: Readonly<Record<Name, number>>,
): Record<Name, number> =>
  Object.fromEntries(names.map((name) => [name, left[name] + right[name]])) as Record<Name, number>;

export const addTallies = (left: Tally, right: Tally): Tally => {
  const servers = new Map(Object.entries(left.servers));
  for (const [name, tally] of Object.entries(right.servers)) {
    const known = servers.get(name);
    servers.set(name, known === undefined ? tally : addFigures(serverFigures, known, tally));
  }
  return { ...addFigures(figures, left, right), servers: Object.fromEntries(servers) };
};

/** Begins and ends with a line break, so that it is complete even after a torn line. */
const renderTallyLine = (tally: Tally, origin: RunOrigin): string =>
  `\n${JSON.stringify(origin === "agent" ? tally : { origin, ...tally })}\n`;

const parseTallyLine = (line: string): { readonly tally: Tally; readonly origin: RunOrigin } | undefined => {
  const fields = parseFields(line);
  if (fields === undefined) return undefined;
  const servers = isFields(fields.servers) ? Object.entries(fields.servers) : [];
  const tally = {
    ...readFigures(fields, figures),
    servers: Object.fromEntries(
      servers.flatMap(([name, server]) =>
        isFields(server) ? [[name, readFigures(server, serverFigures)]] : [],
      ),
    ),
  };
  return { tally, origin: fields.origin === "terminal" ? "terminal" : "agent" };
};

const usesFormat = { format: "mcp-coordinator/uses", version: 1 };
/** The least used tools are dropped first. */
const maxTools = 2000;

const parseUses = (text: string | undefined): Map<string, number> => {
  const uses = parseFormat(text, usesFormat)?.uses;
  const counts = Object.entries(isFields(uses) ? uses : {}).filter(
    (entry): entry is [string, number] => Number.isSafeInteger(entry[1]) && Number(entry[1]) > 0,
  );
  return new Map(counts);
};

/** Opens `<folder>/uses.json`, which the first write creates. */
export const openUseCounts = (folder: string): UseCounts => {
  const path = join(folder, "uses.json");
  const read = async (): Promise<Map<string, number>> =>
    parseUses(await readFile(path, "utf8").catch(() => undefined));
  return {
    read,
    add: async (more) => {
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await withLock(`${path}.locks`, async () => {
          const counts = await read();
          for (const [name, count] of more) counts.set(name, (counts.get(name) ?? 0) + count);
          const topTools = [...counts].sort((left, right) => right[1] - left[1]).slice(0, maxTools);
          const uses = Object.fromEntries(topTools);
          await writeFileAtomically(path, `${JSON.stringify({ ...usesFormat, uses }, undefined, 1)}\n`);
        });
      } catch {
        // A lost count only affects the order of tools.
      }
    },
  };
};
