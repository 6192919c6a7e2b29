// Daily statistics on disk: concurrent writers, torn lines, and past days merged into one line.
import { appendFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Tally } from "../../../../src/contracts/index.js";
import { addTallies, emptyTally, openStatisticsStore } from "../../../../src/store/index.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";

const day = "2026-11-15";
const one: Tally = {
  ...emptyTally,
  runs: 1,
  calls: 2,
  keptTokens: 30,
  savedTokens: -4,
  servers: { echo: { calls: 2, callTokens: 5, answerTokens: 35 } },
};
const now = (): number => Date.parse("2026-11-15T12:00:00Z");

describe("openStatisticsStore()", () => {
  it("has no days before something is added", async () => {
    expect(await openStatisticsStore({ folder: await temporaryFolder() }).read()).toEqual([]);
  });

  it("sums what concurrent writers add", async () => {
    const folder = await temporaryFolder();
    const stores = Array.from({ length: 5 }, () => openStatisticsStore({ folder, now }));
    await Promise.all(stores.flatMap((store) => Array.from({ length: 20 }, () => store.add(day, one))));
    const [read] = await openStatisticsStore({ folder, now }).read();
    expect(read?.day).toBe(day);
    expect(read?.tally).toMatchObject({ runs: 100, calls: 200, keptTokens: 3000, savedTokens: -400 });
    expect(read?.tally.servers.echo).toEqual({ calls: 200, callTokens: 500, answerTokens: 3500 });
  });

  it("ignores only the line that a crash cut off", async () => {
    const folder = await temporaryFolder();
    const store = openStatisticsStore({ folder, now });
    await store.add(day, one);
    await appendFile(join(folder, "statistics", `${day}.jsonl`), '\n{"runs":7,"ca');
    await store.add(day, one);
    expect((await store.read())[0]?.tally.runs).toBe(2);
  });

  it("keeps what people run at a terminal apart from what agents run", async () => {
    const folder = await temporaryFolder();
    const store = openStatisticsStore({ folder, now });
    await store.add(day, one);
    await store.add(day, one, "terminal");
    await store.add(day, one, "terminal");
    const [read] = await store.read();
    expect([read?.tally.runs, read?.terminal.runs]).toEqual([one.runs, 2 * one.runs]);
  });

  it("merges a past day into a line for agents and one for the terminal, with the same sums", async () => {
    const folder = await temporaryFolder();
    const store = openStatisticsStore({ folder, now });
    for (const place of ["2026-11-01", day]) {
      await store.add(place, one);
      await store.add(place, one);
      await store.add(place, one, "terminal");
    }
    const before = await store.read();
    const lines = async (name: string): Promise<number> =>
      (await readFile(join(folder, "statistics", `${name}.jsonl`), "utf8")).trim().split(/\n+/).length;
    expect([await lines("2026-11-01"), await lines(day)]).toEqual([2, 3]);
    expect(await store.read()).toEqual(before);
    expect(before.map(({ tally, terminal }) => [tally.runs, terminal.runs])).toEqual([
      [2, 1],
      [2, 1],
    ]);
  });

  it("reads only whole numbers, and no other files", async () => {
    const folder = await temporaryFolder();
    const store = openStatisticsStore({ folder, now });
    await mkdir(join(folder, "statistics"));
    const odd = '{"runs":"many","calls":1.5,"keptTokens":3,"servers":{"a":{"calls":"x"},"b":7}}\n[1]\nnull\n';
    await writeFile(join(folder, "statistics", `${day}.jsonl`), odd);
    await writeFile(join(folder, "statistics", "notes.txt"), "mine");
    const [read, ...more] = await store.read();
    expect(more).toEqual([]);
    expect(read?.tally).toEqual({
      ...emptyTally,
      keptTokens: 3,
      servers: { a: { calls: 0, callTokens: 0, answerTokens: 0 } },
    });
  });

  it("reports that the folder is not writable", async () => {
    const folder = join(await temporaryFolder(), "taken");
    await writeFile(folder, "a file");
    await expect(openStatisticsStore({ folder }).add(day, one)).rejects.toThrow();
  });
});

describe("addTallies()", () => {
  it("combines the servers of both", () => {
    const other: Tally = { ...one, servers: { files: { calls: 1, callTokens: 1, answerTokens: 1 } } };
    expect(Object.keys(addTallies(one, other).servers)).toEqual(["echo", "files"]);
  });
});
