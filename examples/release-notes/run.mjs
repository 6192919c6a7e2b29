// Two servers in two languages: git (a Python package) and the file system (a Node package).
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { completedValue, example, Skip } from "../support/example.mjs";
import { needPython } from "../support/packages.mjs";

await example(import.meta.url, async ({ folder, open, read }) => {
  needPython("git", "mcp-server-git==2026.10.19");
  const cwd = join(folder, "repository");
  mkdirSync(cwd);
  const git = (...words) => execFileSync("git", words, { cwd, encoding: "utf8", stdio: "pipe" });
  try {
    git("init", "--quiet");
  } catch (error) {
    throw new Skip(`git cannot be started (${error.code ?? error.message})`);
  }
  git("config", "user.name", "Example");
  git("config", "user.email", "example@localhost");
  for (let at = 1; at <= 30; at++) {
    const kind = at % 3 === 0 ? "feat" : at % 5 === 0 ? "fix" : "chore";
    git("commit", "--quiet", "--allow-empty", "-m", `${kind}: change number ${at}`);
  }

  const coordinator = await open();
  const result = await coordinator.runCode({ code: read("program.ts") });
  console.log(completedValue(result));

  assert.deepEqual(result.value, { commits: 30, lines: 18 });
  const notes = readFileSync(join(cwd, "NOTES.md"), "utf8");
  console.log(notes.split("\n").slice(0, 3).join("\n"));
  assert.match(notes, /^## Features\n- change number 30\n/);
  assert.match(notes, /## Fixes\n- change number 25\n/);
  assert.equal(git("log", "-1", "--format=%s").trim(), "docs: release notes");
  assert.equal(git("status", "--porcelain").trim(), "");
});
