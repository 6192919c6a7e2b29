// The host is killed during runs: afterwards each write was made once, or is reported as uncertain.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { type OpenedCoordinator as Coordinator, openCoordinator } from "../../../src/index.js";
import { rounds } from "../../support/rounds.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { readSeen, toLedgerConfig } from "./open-ledger.js";

const hostFile = fileURLToPath(new URL("../../fixtures/hosts/runs-until-killed.mjs", import.meta.url));
const writes = 30;

/** Programs of 30 writes. Each write has the number of the run, its own number, and a value that only this run knows. */
const programs = {
  typescript: (run: number) => `
    const started = Date.now();
    for (let i = 0; i < ${writes}; i++) await ledger.write({ value: [${run}, i, Math.random(), Date.now() - started] });
    return "done";`,
  python: (run: number) => `
import random, time
for i in range(${writes}):
    ledger.write(value=[${run}, i, random.random(), time.time()])
"done"`,
  parallel: (run: number) => `
    for (let i = 0; i < ${writes}; i += 3)
      await Promise.all([0, 1, 2].map((at) => ledger.write({ value: [${run}, i + at, Math.random()] })));
    return "done";`,
} as const;

type Kind = keyof typeof programs;

/** What the server has seen of one run: the numbers of its writes. */
const listWrites = (folder: string, run: number): readonly number[] =>
  readSeen(folder)
    .filter((line) => line.startsWith(`write [${run},`))
    .map((line) => (JSON.parse(line.slice("write ".length)) as readonly number[])[1] ?? -1);

/** Starts a host, kills it when the server has seen some writes and a moment more; returns the run's id. */
const killHost = async (folder: string, kind: Kind, run: number, random: () => number): Promise<string> => {
  const language = kind === "python" ? "python" : "typescript";
  const words = [hostFile, join(folder, "mcp.json"), language, programs[kind](run)];
  const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(child, "exit");
  const [runId] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  const enough = Math.floor(random() * writes);
  while (listWrites(folder, run).length <= enough && child.exitCode === null) await delay(1);
  await delay(random() * 3);
  child.kill("SIGKILL");
  await exited;
  // Its server ends with its pipe; what it was sent before, it may still do.
  await expect.poll(() => readSeen(folder).filter((line) => line === "end").length).toBe(run + 1);
  return runId;
};

/** Resumes until the run has ended. An uncertain write is repeated or skipped, depending on what the server has seen. */
const resumeToTheEnd = async (coordinator: Coordinator, folder: string, run: number, runId: string) => {
  const first = await coordinator.resumeRun({ runId });
  if (first.error?.code !== "RUN_UNCERTAIN") return { result: first, uncertain: 0 };
  const { made } = await coordinator.showRun({ runId });
  const lost = made.filter(({ status }) => status === "lost");
  const { sequence } = first.error.details as { readonly sequence: number };
  expect(lost.map((call) => call.sequence)).toContain(sequence);
  // Several answers may be lost at once, each with a different state: a person has to decide.
  if (lost.length > 1) return { result: first, uncertain: lost.length };
  const [, number] = (lost[0]?.arguments as { readonly value: readonly number[] } | undefined)?.value ?? [];
  const isDone = listWrites(folder, run).includes(number ?? -1);
  const result = await coordinator.resumeRun({ runId, uncertain: isDone ? "skip" : "repeat" });
  return { result, uncertain: 1 };
};

const checkOneRun = async (coordinator: Coordinator, folder: string, run: number, runId: string) => {
  const kept = (await coordinator.listRuns()).find((one) => one.runId === runId);
  const before = listWrites(folder, run);
  expect(new Set(before).size).toBe(before.length);
  if (kept?.status === "completed") return { isInterrupted: false, uncertain: 0 };
  expect(kept?.status).toBe("interrupted");
  const { result, uncertain } = await resumeToTheEnd(coordinator, folder, run, runId);
  const seen = listWrites(folder, run);
  if (result.error?.code === "RUN_UNCERTAIN") expect(seen).toEqual(before);
  else {
    expect(result).toMatchObject({ status: "completed", value: "done" });
    const sorted = [...seen].sort((one, other) => one - other);
    expect(sorted).toEqual(Array.from({ length: writes }, (_, at) => at));
  }
  return { isInterrupted: true, uncertain };
};

const testKills = (kind: Kind, kills: number): void => {
  it(`leaves each write seen once or reported as uncertain (${kind}, ${kills} times)`, async () => {
    let seed = 20_261_115 + kills;
    // Fixed seeds: the same moments each time, as far as possible.
    const random = (): number => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
      return seed / 0x80000000;
    };
    const folder = await temporaryFolder();
    appendFileSync(join(folder, "seen.txt"), "");
    writeFileSync(
      join(folder, "mcp.json"),
      JSON.stringify(toLedgerConfig(folder, ["--delay", "20", "--end"])),
    );
    const coordinator = await openCoordinator({ config: toLedgerConfig(folder) });
    let interrupted = 0;
    let uncertain = 0;
    try {
      for (let run = 0; run < kills; run++) {
        const runId = await killHost(folder, kind, run, random);
        const found = await checkOneRun(coordinator, folder, run, runId);
        if (found.isInterrupted) interrupted++;
        uncertain += found.uncertain;
      }
    } finally {
      await coordinator.close();
    }
    expect(interrupted).toBeGreaterThan(kills / 2);
    expect(uncertain).toBeGreaterThan(0);
  }, 600_000);
};

describe("a host that is killed", () => {
  testKills("typescript", rounds(10, 70));
  testKills("parallel", rounds(5, 20));
  testKills("python", rounds(3, 10));
});
