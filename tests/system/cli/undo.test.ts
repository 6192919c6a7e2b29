// The command `undo`: it lists the calls, asks or requires `--yes`, and reports what remains.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { type Notebook, openNotebook } from "../../support/open-notebook.js";

const bin = fileURLToPath(new URL("../../../bin/mcp-coordinator.mjs", import.meta.url));

const run = async ({ folder }: Notebook, words: readonly string[]) => {
  const places = ["--config", join(folder, "mcp.json"), "--state-folder", join(folder, "state")];
  const env = { PATH: process.env.PATH, HOME: folder, MCP_COORDINATOR_CACHE_FOLDER: join(folder, "cache") };
  const child = spawn(process.execPath, [bin, ...words, ...places], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, stdout, stderr };
};

describe("mcp-coordinator undo", () => {
  it("only lists without a terminal, undoes with --yes, and then has nothing to do", async () => {
    const notebook = await openNotebook();
    const { coordinator, notes } = notebook;
    const { runId } = await coordinator.runCode({
      code: 'await notes.add({ text: "one" }); await notes.say({ answer: "x" });',
    });
    const listed = await run(notebook, ["undo", runId]);
    expect(listed.code).toBe(5);
    expect(listed.stdout).toMatch(/notes\.add +ready +notes\.remove +\{"id":"1"\}/);
    expect(listed.stdout).toContain("notes.say: no inverse call was declared for it");
    expect(listed.stderr).toContain("run it again with --yes");
    expect((await run(notebook, ["undo", runId, "--dry-run"])).code).toBe(0);
    const document = await run(notebook, ["undo", runId, "--json"]);
    expect(document.code).toBe(5);
    expect(JSON.parse(document.stdout)).toMatchObject({
      runId,
      steps: [{ state: "none" }, { state: "ready" }],
    });
    expect(notes()).toEqual({ "1": "one" });
    expect((await run(notebook, ["runs", runId])).stderr).toContain(`undo ${runId}`);

    const undone = await run(notebook, ["undo", runId, "--yes"]);
    expect(undone.code).toBe(0);
    expect(undone.stderr).toContain("1 undone, 0 left");
    expect(notes()).toEqual({});
    expect((await run(notebook, ["runs", runId])).stderr).toContain(`Undone by ${runId}-undo`);
    const again = await run(notebook, ["undo", runId, "--yes"]);
    expect(again.code).toBe(0);
    expect(again.stderr).toContain("Nothing to do");
  });

  it("leaves calls that the policy asks about to a person, whatever --yes says", async () => {
    const notebook = await openNotebook();
    const { runId } = await notebook.coordinator.runCode({ code: 'await notes.add({ text: "one" });' });
    await notebook.openAnother({ default: "allow", ask: ["notes.remove"] });
    const undone = await run(notebook, ["undo", runId, "--yes"]);
    expect(undone.code).toBe(5);
    expect(notebook.notes()).toEqual({ "1": "one" });
  });

  it("reports an inverse call that does not exist in policy check", async () => {
    const notebook = await openNotebook({
      undo: { "notes.add": { call: "notes.remov", with: { id: "$answer.id" } } },
    });
    const checked = await run(notebook, ["policy", "check"]);
    expect(checked.code).toBe(1);
    expect(checked.stdout + checked.stderr).toContain('Did you mean "remove"?');
  });
});
