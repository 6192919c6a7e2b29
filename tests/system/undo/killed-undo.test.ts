// The host is killed while it undoes a run: what is undone is never undone again, and what is uncertain is reported.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { openNotebook } from "../../support/open-notebook.js";

const hostFile = fileURLToPath(new URL("../../fixtures/hosts/undoes-until-killed.mjs", import.meta.url));

describe("an undo whose host is killed", () => {
  it("repeats nothing, and reports the inverse call whose answer was lost", async () => {
    const { coordinator, folder, seen, forget, notes, openAnother } = await openNotebook();
    const { runId } = await coordinator.runCode({
      code: 'for (const text of ["one", "two", "three"]) await notes.add({ text });',
    });
    await coordinator.close();
    forget();
    // The second inverse call takes effect, and is never answered.
    const hold = join(folder, "notes.json.hold");
    writeFileSync(hold, "2");
    const words = [hostFile, join(folder, "mcp.json"), join(folder, "state"), runId];
    const child = spawn(process.execPath, words, { stdio: "inherit" });
    const exited = once(child, "exit");
    await expect.poll(seen).toEqual(['remove {"id":"3"}', 'remove {"id":"2"}']);
    child.kill("SIGKILL");
    await exited;
    rmSync(hold);

    const next = await openAnother();
    const { steps, undoId } = await next.planUndo({ runId });
    expect(steps.map(({ state }) => state)).toEqual(["done", "uncertain", "ready"]);
    await expect(next.undoRun({ runId })).rejects.toMatchObject({ code: "RUN_UNCERTAIN" });
    expect(seen()).toHaveLength(2);
    expect((await next.resumeRun({ runId: undoId })).error?.code).toBe("RUN_UNCERTAIN");
    expect(seen()).toHaveLength(2);

    const ended = await next.resumeRun({ runId: undoId, uncertain: "skip" });
    expect(ended.error).toBeUndefined();
    expect(seen()).toEqual(['remove {"id":"3"}', 'remove {"id":"2"}', 'remove {"id":"1"}']);
    expect(notes()).toEqual({});
    expect((await next.undoRun({ runId })).result).toBeUndefined();
  });
});
