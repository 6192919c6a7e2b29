// Changes of resources that programs wait for, in both languages and both protocols.
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openCoordinator } from "../../../src/index.js";
import { fixturePath } from "../../support/fixture-servers.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const open = async (...args: readonly string[]) => {
  const folder = await temporaryFolder();
  const openAnother = async () => {
    const coordinator = await openCoordinator({
      config: {
        mcpServers: { board: { command: process.execPath, args: [fixturePath("notice-board"), ...args] } },
      },
      settings: { cacheFolder: join(folder, "cache"), stateFolder: join(folder, "state") },
    });
    onTestFinished(() => coordinator.close());
    return coordinator;
  };
  return { coordinator: await openAnother(), openAnother };
};

const start = 'const { version } = await board.resources.watch("board://notes");\n';

describe.each([[[]], [["--old"]]])("a resource of a server %j", (args) => {
  it("is watched in a TypeScript program, without a change that is missed or seen twice", async () => {
    const { coordinator } = await open(...args);
    const code = `${start}
await board.pin({ text: "one", times: 3 });
const first = await board.resources.watch({ uri: "board://notes", after: version });
let seen = first.version;
while (seen < version + 3)
  ({ version: seen } = await board.resources.watch({ uri: "board://notes", after: seen }));
const quiet = await board.resources.watch({ uri: "board://notes", after: seen, timeoutMs: 200 });
return { first: first.changed, count: seen - version, quiet: quiet.changed, isSame: quiet.version === seen };`;
    const run = await coordinator.runCode({ code });
    expect(run.error).toBeUndefined();
    expect(run.value).toEqual({ first: ["board://notes"], count: 3, quiet: [], isSame: true });
    const cassette = await coordinator.exportRun({ runId: run.runId });
    expect(await coordinator.replayRun({ cassette })).toMatchObject({ isSame: true });
  });

  it("is watched in a Python program", async () => {
    const { coordinator } = await open(...args);
    const code = `
version = board.resources.watch("board://notes")["version"]
board.pin(text="one")
change = board.resources.watch(uri="board://notes", after=version)
return [change["changed"], change["version"] - version, board.resources.read("board://notes")[0]["text"]]`;
    const run = await coordinator.runCode({ code, language: "python" });
    expect(run.error).toBeUndefined();
    expect(run.value).toEqual([["board://notes"], 1, "one"]);
  });

  it("wakes a call that is already waiting", async () => {
    const { coordinator } = await open(...args);
    const code = `${start}
const [change] = await Promise.all([
  board.resources.watch({ uri: "board://notes", after: version }),
  board.pin({ text: "one" }),
]);
return change.changed;`;
    expect((await coordinator.runCode({ code })).value).toEqual(["board://notes"]);
  });

  it("may have changed while the server was gone", async () => {
    const { coordinator } = await open(...args);
    const code = `${start}
await board.crash({}).catch(() => {});
const lost = await board.resources.watch({ uri: "board://notes", after: version });
await board.pin({ text: "two" });
const next = await board.resources.watch({ uri: "board://notes", after: lost.version });
return [lost.isUncertain, next.isUncertain ?? false, next.changed];`;
    const run = await coordinator.runCode({ code });
    expect(run.error).toBeUndefined();
    expect(run.value).toEqual([true, false, ["board://notes"]]);
  });

  it("keeps its place in a run that is resumed by another process", async () => {
    const { coordinator, openAnother } = await open(...args);
    const code = `${start}
await board.pin({ text: "one" });
const seen = await board.resources.watch({ uri: "board://notes", after: version });
const [answer, pending] = await Promise.all([
  ask("Continue?"),
  board.resources.watch({ uri: "board://notes", after: seen.version }),
]);
await board.pin({ text: "two" });
const next = await board.resources.watch({ uri: "board://notes", after: pending.version });
return [seen.version - version, answer, pending.isUncertain, next.isUncertain ?? false, next.changed];`;
    const paused = await coordinator.runCode({ code });
    expect(paused).toMatchObject({ status: "paused", question: { text: "Continue?" } });
    await coordinator.close();
    const other = await openAnother();
    const ended = await other.resumeRun({ runId: paused.runId, answer: "yes" });
    expect(ended.error).toBeUndefined();
    expect(ended.value).toEqual([1, "yes", true, false, ["board://notes"]]);
    expect(ended.calls.filter(({ tool }) => tool === "pin").map(({ isReplayed }) => isReplayed)).toEqual([
      true,
      undefined,
    ]);
  });
});

describe("watching a resource", () => {
  it("reports the URIs below it that changed, at most 100 of them", async () => {
    const { coordinator } = await open("--old");
    const code = `const { version } = await board.resources.watch("board://");
await board.pin({ text: "one", uri: "board://notes/7" });
const one = await board.resources.watch({ uri: "board://", after: version });
await board.pin({ text: "many", uri: "board://notes/*", times: 5000 });
let { version: seen } = one;
let most = 0;
while (seen < version + 5001) {
  const next = await board.resources.watch({ uri: "board://", after: seen });
  seen = next.version;
  most = Math.max(most, next.changed.length);
}
return [one.changed, most <= 101];`;
    const run = await coordinator.runCode({ code });
    expect(run.error).toBeUndefined();
    expect(run.value).toEqual([["board://notes/7"], true]);
  });

  it("ends with the run", async () => {
    const { coordinator } = await open("--old");
    await coordinator.runCode({ code: 'return await board.resources.watch("board://notes")' });
    await expect.poll(() => coordinator.callTool({ server: "board", tool: "watched" })).toBe("");
  });

  it("is limited by the time of the run, and stops with it", async () => {
    const { coordinator } = await open("--old");
    const code = `${start}return await board.resources.watch({ uri: "board://notes", after: version });`;
    const run = await coordinator.runCode({ code, limits: { timeoutMs: 2000 } });
    expect(run.stopReason).toBe("timeout");
    await expect.poll(() => coordinator.callTool({ server: "board", tool: "watched" })).toBe("");
  });

  it("is limited in number, and shared by two runs without mixing them", async () => {
    const { coordinator } = await open("--old");
    const code = `for (let at = 0; at < 3; at++) await board.resources.watch(\`board://notes/\${at}\`);`;
    expect((await coordinator.runCode({ code, limits: { watches: 2 } })).error).toMatchObject({
      code: "LIMIT_WATCHES",
    });
    const waiting = coordinator.runCode({
      code: `${start}return (await board.resources.watch({ uri: "board://notes", after: version })).changed;`,
    });
    await expect.poll(() => coordinator.callTool({ server: "board", tool: "watched" })).toBe("board://notes");
    // The second run leaves, and the first is still notified.
    await coordinator.runCode({ code: 'return await board.resources.watch("board://notes")' });
    await coordinator.callTool({ server: "board", tool: "pin", arguments: { text: "x" } });
    expect((await waiting).value).toEqual(["board://notes"]);
  });

  it("reports that the server refuses it", async () => {
    const { coordinator } = await open("--old");
    const { error } = await coordinator.runCode({ code: 'await board.resources.watch("board://locked")' });
    expect(error?.code).toBe("UPSTREAM_FAILED");
  });

  it("needs a run, and approval by name", async () => {
    const { coordinator } = await open();
    await expect(
      coordinator.callTool({ server: "board", tool: "resources.watch", arguments: { uri: "board://notes" } }),
    ).rejects.toThrow("only a run can watch");
    const paused = await coordinator.runCode({
      code: 'return await board.resources.watch("board://notes")',
      approve: ["board.resources.watch"],
    });
    expect(paused.question?.calls).toMatchObject([{ tool: "resources.watch" }]);
  });

  it("is offered only by servers that report changes, and found by search", async () => {
    const { coordinator } = await open();
    const { hits } = await coordinator.searchTools({ query: ["watch a resource for changes"] });
    expect(hits.map(({ tool }) => tool.name)).toContain("resources.watch");
  });
});
