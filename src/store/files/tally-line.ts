// One addition to a day as a line of JSON, and back; a line that does not fit is none.
import type { ServerTally, Tally } from "../../contracts/index.js";

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

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

/** A figure that is missing counts nothing: a newer version may have written the line. */
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

/** It begins and ends with a line break, so that it stands alone even after a line that a crash cut off. */
export const renderTallyLine = (tally: Tally): string => `\n${JSON.stringify(tally)}\n`;

export const parseTallyLine = (line: string): Tally | undefined => {
  try {
    const fields: unknown = JSON.parse(line);
    if (!isFields(fields)) return undefined;
    const servers = isFields(fields.servers) ? Object.entries(fields.servers) : [];
    return {
      ...readFigures(fields, figures),
      servers: Object.fromEntries(
        servers.flatMap(([name, server]) =>
          isFields(server) ? [[name, readFigures(server, serverFigures)]] : [],
        ),
      ),
    };
  } catch {
    return undefined;
  }
};
