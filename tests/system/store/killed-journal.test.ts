// A process is killed at random moments while it writes a journal: every acknowledged record survives, and the run can be resumed.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { defaultLimits, type JournalCall } from "../../../src/contracts/index.js";
import { openStore } from "../../../src/store/index.js";
import { rounds } from "../../support/rounds.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const fixture = fileURLToPath(new URL("../../fixtures/store/journals.mjs", import.meta.url));
// Runs of ten lives each.
const kills = rounds(30, 100);

/** Runs the child until it has printed some lines and a moment longer, then kills it; returns the whole lines. */
const journalUntilKilled = async (
  folder: string,
  runId: string,
  random: () => number,
): Promise<readonly string[]> => {
  const child = spawn(process.execPath, [fixture, folder, runId], { stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  const enough = Math.floor(random() * 60);
  const ended = once(child, "exit");
  let isKilled = false;
  child.stdout.on("data", (piece: Buffer) => {
    said += piece.toString("utf8");
    const lines = said.split("\n").filter((line) => !line.startsWith("replayed")).length;
    if (isKilled || lines <= enough) return;
    isKilled = true;
    // At once, or after a moment: between two steps, or in the middle of one.
    setTimeout(() => child.kill("SIGKILL"), random() * 3);
  });
  await ended;
  await new Promise((resolve) =>
    child.stdout.readableEnded ? resolve(undefined) : child.stdout.once("close", resolve),
  );
  return said.split("\n").slice(0, -1);
};

describe.skipIf(process.platform === "win32")("a journal whose disk is full (needs a Unix system)", () => {
  it("refuses the call, keeps every acknowledged record, and can be read", async () => {
    const folder = await temporaryFolder();
    const full = fileURLToPath(new URL("../../fixtures/store/fills-disk.mjs", import.meta.url));
    // A limit on the size of files is what a full disk looks like to one process.
    const said = execFileSync("sh", ["-c", `ulimit -f 40; exec "${process.execPath}" "${full}" "${folder}"`]);
    const { acknowledged, code, again } = JSON.parse(String(said));
    expect({ code, again }).toEqual({ code: "STORE_FAILED", again: "STORE_FAILED" });
    expect(acknowledged).toBeGreaterThan(10);
    const { runs } = await (await openStore({ folder, limits: defaultLimits })).openWorkspace("shared");
    expect((await runs.read("run")).recorded.calls).toHaveLength(acknowledged);
  });
});

describe("a journal whose process is killed", () => {
  it(`keeps every acknowledged record and can be read and resumed, ${kills} times`, async () => {
    // Fixed numbers, so that a failure can be repeated.
    let seed = 20_261_115;
    const random = (): number => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
      return seed / 0x80000000;
    };
    const folder = await temporaryFolder();
    const { runs } = await (await openStore({ folder, limits: defaultLimits })).openWorkspace("shared");
    const acknowledged = new Map<string, Set<string>>();
    let answers = 0;
    for (let kill = 0; kill < kills; kill++) {
      // Ten lives each: later ones begin with a replay of all that the earlier ones did.
      const runId = `run-${Math.floor(kill / 10)}`;
      const lines = await journalUntilKilled(folder, runId, random);
      const known = acknowledged.get(runId) ?? new Set<string>();
      acknowledged.set(runId, known);
      const fresh = kill % 10 === 9 ? [...known, ...lines] : lines;
      for (const line of lines) known.add(line);
      const { recorded, readAnswer, readArguments } = await runs.read(runId);
      expect(recorded.status).toBe("interrupted");
      const all: readonly JournalCall[] = recorded.calls;
      // One call after the other, so no number is left out, and only the last can be without an answer.
      expect(all.slice(0, -1).filter(({ answer }) => answer === undefined)).toEqual([]);
      const bySequence = new Map(all.map((call) => [call.intent.sequence, call]));
      for (const line of fresh) {
        const [kind, at, sequence] = line.split(" ");
        const call = bySequence.get(Number(sequence));
        if (kind === "intent") {
          // It is still there, or a later intent took its place because its answer was lost. That can happen again.
          const current = call ?? all[Number(at)];
          expect(current?.intent.sequence, line).toBeGreaterThanOrEqual(Number(sequence));
          continue;
        }
        if (call === undefined) throw new Error(`lost: ${line}`);
        const answer = await readAnswer(call);
        expect(answer.status === "answered" && JSON.parse(answer.body).at).toBe(Number(at));
        expect(await readArguments(call)).toMatchObject({ at: Number(at) });
        answers++;
      }
      expect(all.map(({ intent }) => intent.argumentHash)).toHaveLength(
        new Set(all.map((c) => c.intent.argumentHash)).size,
      );
    }
    expect(answers).toBeGreaterThan(kills);
    expect(await runs.list()).toHaveLength(kills / 10);
  }, 300_000);
});
