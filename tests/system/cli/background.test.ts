// Runs in the background of the command line: they survive the command, and can be listed, followed, cancelled and resumed.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fixturePath } from "../../support/fixture-servers.js";
import { type CommandLine, openCommandLine } from "./run-command.js";

let line: CommandLine;
let seen: string;
beforeAll(() => {
  line = openCommandLine();
  seen = join(line.folder, "seen.txt");
  writeFileSync(seen, "");
  const ledger = { command: process.execPath, args: [fixturePath("ledger"), "--file", seen] };
  writeFileSync(join(line.folder, "mcp.json"), JSON.stringify({ mcpServers: { ledger } }));
});
afterAll(() => line.close());

/** Prints, calls, and then waits until it is stopped. */
const endless = `console.log("begun");
await ledger.write({ value: "one" });
console.log("written");
for (;;) await new Promise((resolve) => setTimeout(resolve, 50));`;

const start = async (program: string, ...words: readonly string[]): Promise<string> => {
  const { code, stdout, stderr } = await line.run(
    ["run", "-", "--background", "--timeout", "120000", ...words],
    program,
  );
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return stdout.trim();
};

const readStatus = async (id: string): Promise<string> =>
  JSON.parse((await line.run(["runs", id, "--json"])).stdout).status;

test("a background run outlives its command, and its output is readable while it runs and afterwards", async () => {
  const id = await start(endless);
  expect(id).toMatch(/^[0-9a-f]{12}$/);
  await expect.poll(async () => (await line.run(["runs", id])).stdout).toContain("written");
  const listed = await line.run(["runs"]);
  expect(listed.stdout).toMatch(new RegExp(`^${id} +running`, "m"));

  const cancelled = await line.run(["runs", "cancel", id]);
  expect(cancelled).toMatchObject({ code: 0, stdout: `cancelled ${id}\n` });
  expect(await readStatus(id)).toBe("stopped");
  expect((await line.run(["runs", id])).stdout).toMatch(/begun\nwritten/);
  expect(readFileSync(seen, "utf8")).toBe('write "one"\n');
  const again = await line.run(["runs", "cancel", id]);
  expect(again.stderr).toContain("Nothing to cancel: the run is stopped");
});

test("runs ID --follow shows what a run prints and calls until it ends, and exits with the run's code", async () => {
  const id = await start(endless);
  const follower = line.start(["runs", id, "--follow"]);
  let shown = "";
  follower.stdout.setEncoding("utf8").on("data", (part: string) => {
    shown += part;
  });
  const errors = text(follower.stderr);
  const ended = new Promise<number | null>((resolve) => follower.on("close", resolve));
  await expect.poll(() => shown).toContain("written");
  await line.run(["runs", "cancel", id]);
  expect(await ended).toBe(1);
  expect(shown).toBe("begun\nwritten\n");
  expect(await errors).toContain("✓ ledger.write");
  expect(await errors).toContain("Cancelled the program");
});

test("runs --follow shows runs of other processes from their start to their end", async () => {
  const follower = line.start(["runs", "--follow", "--json"]);
  let output = "";
  follower.stdout.setEncoding("utf8").on("data", (part: string) => {
    output += part;
  });
  const events = () => output.split("\n").flatMap((one) => (one === "" ? [] : [JSON.parse(one)]));
  // Runs that ended before are not shown, so begin until one is noticed.
  await expect
    .poll(async () => {
      await line.run(["run", "-e", "return await ledger.read({ value: 7 })"]);
      return events().map(({ event }) => event);
    })
    .toEqual(expect.arrayContaining(["started", "call", "ended"]));
  expect(events().find(({ event }) => event === "call")).toMatchObject({
    call: { server: "ledger", tool: "read", status: "answered" },
  });
  const ended = new Promise<number | null>((resolve) => follower.on("close", resolve));
  follower.kill("SIGINT");
  expect(await ended).toBe(130);
});

test("runs --follow says what it shows and how to end it", async () => {
  const follower = line.start(["runs", "--follow"]);
  let shown = "";
  follower.stderr.setEncoding("utf8").on("data", (part: string) => {
    shown += part;
  });
  await expect.poll(() => shown).toBe("Following the runs of this workspace; Ctrl-C ends it\n");
  const ended = new Promise((resolve) => follower.on("close", resolve));
  follower.kill("SIGINT");
  await ended;
});

test("a program that the check refuses is reported by the command itself", async () => {
  const { code, stdout, stderr } = await line.run(["run", "-e", "return nowhere", "--background"]);
  expect(stderr).toContain('Cannot use "nowhere"');
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
});

test("a background run works in the folder that --folder names", async () => {
  mkdirSync(join(line.folder, "below"));
  writeFileSync(join(line.folder, "below", "here.ts"), 'return "found"');
  const { code, stdout } = await line.run([
    ...["run", "here.ts", "--folder", "below", "--config", "../mcp.json", "--background"],
  ]);
  expect(code).toBe(0);
  await expect.poll(() => readStatus(stdout.trim())).toBe("completed");
});

test("a configuration that cannot be read is reported by the command itself", async () => {
  const { code, stderr } = await line.run(["run", "-e", "return 1", "--background", "--config", "none.json"]);
  expect(stderr).toContain("none.json");
  expect(code).toBe(1);
});

test("a background run that needs approval waits for a person", async () => {
  const approving = {
    ...JSON.parse(readFileSync(join(line.folder, "mcp.json"), "utf8")),
    coordinator: { approve: ["ledger.write"] },
  };
  writeFileSync(join(line.folder, "approving.json"), JSON.stringify(approving));
  const id = await start('await ledger.write({ value: "two" })', "--config", "approving.json");
  await expect.poll(() => readStatus(id)).toBe("paused");
  const { stderr } = await line.run(["runs", id, "--config", "approving.json"]);
  expect(stderr).toContain(`resume ${id}`);
});
