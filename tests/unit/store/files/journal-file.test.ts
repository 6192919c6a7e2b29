// The journal on disk: torn anywhere, it is read up to the last complete record and continues from there.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { defaultLimits, type StoredJournal } from "../../../../src/contracts/index.js";
import { parseJournal } from "../../../../src/store/files/journal-file.js";
import { openStore } from "../../../../src/store/index.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";

const makeCalls = async (run: StoredJournal, count: number): Promise<void> => {
  for (let at = 0; at < count; at++) {
    const turn = await run.issue({
      server: "s",
      tool: "t",
      arguments: { at, text: "ü\n" },
      effect: "idempotent",
    });
    if (turn.kind !== "fresh") continue;
    const answer = { status: "answered", format: "text", body: `${at} \ud800 "` } as const;
    await run.answer(turn.sequence, { decision: "allowed", answer, durationMs: 0 });
  }
};

const makeJournal = async () => {
  const folder = await temporaryFolder();
  const { runs } = await (await openStore({ folder, limits: defaultLimits })).openWorkspace("ada");
  const run = await runs.begin({ runId: "r", language: "python", code: "pass" });
  await makeCalls(run, 3);
  run.value("now", () => 1);
  await run.end({ status: "failed", durationMs: 1, result: null });
  return { runs, path: join(folder, "workspaces", "ada", "runs", "r.jsonl") };
};

describe("a journal file", () => {
  it("that is torn anywhere is read up to its last complete line", async () => {
    const { path } = await makeJournal();
    const content = readFileSync(path);
    const whole = parseJournal(content, "it").records;
    expect(whole.map(({ type }) => type)).toEqual([
      "started",
      ...["intent", "answer", "intent", "answer", "intent", "answer"],
      "value",
      "ended",
    ]);
    for (let length = 0; length <= content.length; length++) {
      const cut = content.subarray(0, length);
      const lines = cut.toString("latin1").split("\n").length - 1;
      const { records, validBytes } = parseJournal(cut, "it");
      expect(records).toEqual(whole.slice(0, lines));
      expect(validBytes).toBe(cut.lastIndexOf(10) + 1);
    }
  });

  it("that was torn continues after its last complete line", async () => {
    const { runs, path } = await makeJournal();
    // As a process that has ended left it.
    const content = Buffer.from(
      readFileSync(path, "utf8")
        .replace(/"startedAt":"\d+"/, '"startedAt":"1"')
        .replace(/"pid":\d+/, '"pid":999999'),
    );
    const first = content.indexOf(10) + 1;
    for (let length = first; length < content.length; length += 37) {
      writeFileSync(path, content.subarray(0, length));
      const run = await runs.resume("r");
      await makeCalls(run, 4);
      expect(await run.end({ status: "completed", durationMs: 1, result: length })).toMatchObject({
        calls: 4,
      });
      expect(await (await runs.read("r")).readResult()).toBe(length);
      expect((await runs.list())[0]).toMatchObject({ status: "completed", calls: 4 });
    }
  });

  it("with zeros at its end, as after a power failure, continues as well", async () => {
    const { runs, path } = await makeJournal();
    writeFileSync(path, Buffer.concat([readFileSync(path), Buffer.alloc(500), Buffer.from("\n\0\0\n")]));
    const run = await runs.resume("r");
    await run.end({ status: "completed", durationMs: 1, result: 1 });
    expect(readFileSync(path).includes(0)).toBe(false);
  });

  it("with a bad line before a good one is refused", async () => {
    const { runs, path } = await makeJournal();
    const lines = readFileSync(path, "utf8").split("\n");
    lines[2] = "{}";
    writeFileSync(path, lines.join("\n"));
    await expect(runs.read("r")).rejects.toMatchObject({
      code: "STORE_UNREADABLE",
      message: 'Cannot read the journal of the run "r": line 3 is not a record',
    });
    await expect(runs.resume("r")).rejects.toMatchObject({ code: "STORE_UNREADABLE" });
  });

  it("never refers to a file outside its folder", async () => {
    const { runs, path } = await makeJournal();
    const text = readFileSync(path, "utf8");
    expect(text).toContain('"text":"pass"');
    for (const file of ["../x", "/etc/passwd", "a/../../x", "a\\\\b", "answers/../../x.json"]) {
      writeFileSync(path, text.replace('"text":"pass"', `"file":"${file}","bytes":4`));
      await expect(runs.read("r")).rejects.toMatchObject({ code: "STORE_UNREADABLE" });
    }
  });

  it("is private and has one readable line per record, whatever a guest passed", async () => {
    const folder = await temporaryFolder();
    const { runs } = await (await openStore({ folder, limits: defaultLimits })).openWorkspace("ada");
    const run = await runs.begin({ runId: "r", language: "python", code: "pass" });
    const given = { b: 1, a: '\n{"type":"ended"}\n\u2028' };
    await run.issue({ server: "s", tool: "t", arguments: given, effect: "write" });
    const path = join(folder, "workspaces", "ada", "runs", "r.jsonl");
    const lines = readFileSync(path, "utf8").trimEnd().split("\n");
    expect(lines).toHaveLength(2);
    expect(JSON.parse(lines[1] ?? "")).toMatchObject({ type: "intent", arguments: given });
    await run.end({ status: "stopped", durationMs: 1, result: null });
  });

  it("contains the program, and only a long one is stored beside it", async () => {
    const folder = await temporaryFolder();
    const { runs } = await (await openStore({ folder, limits: defaultLimits })).openWorkspace("ada");
    const programs = {
      short: 'return "a\nb";',
      long: `return ${"1 + ".repeat(10_000)}1;`,
      halved: "return '\ud800'",
    };
    for (const [runId, code] of Object.entries(programs)) {
      const run = await runs.begin({ runId, language: "typescript", code });
      await run.end({ status: "completed", durationMs: 1, result: null });
    }
    expect(readdirSync(join(folder, "workspaces", "ada", "runs")).sort()).toEqual([
      "halved.files",
      "halved.jsonl",
      "long.files",
      "long.jsonl",
      "short.jsonl",
    ]);
    expect(readdirSync(join(folder, "workspaces", "ada", "runs", "long.files"))).toEqual(["program.ts"]);
    for (const runId of ["short", "long"] as const)
      expect(await (await runs.read(runId)).readProgram()).toBe(programs[runId]);
    for (const runId of Object.keys(programs)) await runs.remove(runId);
    expect(readdirSync(join(folder, "workspaces", "ada", "runs"))).toEqual([]);
  });

  it("that could not be started is removed", async () => {
    const folder = await temporaryFolder();
    const { runs } = await (await openStore({ folder, limits: defaultLimits })).openWorkspace("ada");
    const place = join(folder, "workspaces", "ada", "runs");
    mkdirSync(place, { recursive: true });
    // Where a long program would be stored.
    writeFileSync(join(place, "r.files"), "in the way");
    const code = "1;".repeat(10_000);
    await expect(runs.begin({ runId: "r", language: "typescript", code })).rejects.toMatchObject({
      code: "STORE_FAILED",
    });
    expect(readdirSync(place)).toEqual(["r.files"]);
  });
});
