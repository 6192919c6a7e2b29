// Servers that ask, answered at a terminal or by a command.
import { spawnSync } from "node:child_process";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { openCoordinator } from "../../../src/index.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { hasTerminal, openTerminal } from "../../support/terminal.js";
import { askers, toAskerConfig } from "./open-asker.js";

const bin = fileURLToPath(new URL("../../../bin/mcp-coordinator.mjs", import.meta.url));
const names = Object.keys(askers) as (keyof typeof askers)[];

const openProject = async () => {
  const folder = await temporaryFolder();
  const config = join(folder, "mcp.json");
  writeFileSync(config, JSON.stringify(toAskerConfig(folder)));
  appendFileSync(join(folder, "done.txt"), "");
  return { folder, config, done: () => readFileSync(join(folder, "done.txt"), "utf8") };
};

describe.skipIf(!hasTerminal)("a form at a terminal (skipped: needs script of util-linux)", () => {
  it.each(names)("is filled in field by field, with choices and defaults: %s server", async (server) => {
    const { folder, done } = await openProject();
    const words = ["run", "-e", `return (await ${server}.book({})).action`, "--config", "mcp.json"];
    const terminal = openTerminal(words, folder, folder);
    await terminal.press("Answer it? [y/n]", "y\r");
    await terminal.press("Your name:", "\r");
    // A required field is asked for again.
    await terminal.press("Your name:", "Ada\r");
    await terminal.press('seat ["aisle"]:', "1\r");
    await terminal.press("bags [1]:", "\r");
    expect(await terminal.ended).toBe(0);
    expect(terminal.read()).toContain(`The server "${server}" asks, during the call of "book":`);
    expect(terminal.read()).toContain("> Which seat do you want?");
    expect(done()).toBe("booked window for Ada\n");
  });
});

describe("a form without a terminal", () => {
  it("is answered only with the code that a person was shown", async () => {
    const { folder, config, done } = await openProject();
    const type = (...words: readonly string[]) =>
      spawnSync(process.execPath, [bin, ...words, "--config", "mcp.json"], {
        cwd: folder,
        env: { PATH: process.env.PATH, HOME: folder },
        encoding: "utf8",
      });
    const run = type("run", "-e", "return (await modern.book({})).action", "--json");
    expect(run.status).toBe(5);
    const { runId } = JSON.parse(run.stdout) as { runId: string };
    const answer = ["--answer", '{"name":"Ada"}'];
    for (const words of [answer, [...answer, "--yes", "00000000"], ["--yes"]])
      expect(type("resume", runId, ...words).stderr).toContain("Cannot answer the run");
    expect(done()).toBe("");
    const person = await openCoordinator({ config });
    onTestFinished(() => person.close());
    const { code = "" } = (await person.readQuestion({ runId })) ?? {};
    expect(run.stdout + run.stderr).not.toContain(code);
    const answered = type("resume", runId, ...answer, "--yes", code);
    expect(answered.stdout).toContain("accept");
    expect(done()).toBe("booked aisle for Ada\n");
  });
});
