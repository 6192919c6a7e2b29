// Generates the library, and uses it from a Node project and a Python project.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { example, Skip } from "../support/example.mjs";
import { writeOrders } from "../support/write-orders.mjs";

await example(import.meta.url, async ({ here, folder, command }) => {
  writeOrders(join(folder, "orders.sqlite"), 100);
  const project = join(folder, "project");
  mkdirSync(join(project, "node_modules"), { recursive: true });
  for (const file of ["app.mjs", "app.py"]) cpSync(join(here, file), join(project, file));
  const library = join(project, "library");

  for (const language of ["typescript", "python"]) {
    const words = ["generate", "--out", library, "--language", language, "--config", "mcp.json"];
    const { code, stdout, stderr } = await command(...words);
    assert.equal(code, 0, stderr);
    console.log(`$ mcp-coordinator generate --out library --language ${language}\n${stdout.split("\n")[1]}`);
  }
  // What "npm install ./library/servers" does.
  symlinkSync(join(library, "servers"), join(project, "node_modules", "mcp-servers"), "junction");

  const env = {
    ...process.env,
    PYTHONPATH: "library",
    // Not necessary if mcp-coordinator is installed.
    MCP_COORDINATOR_COMMAND: fileURLToPath(new URL("../../bin/mcp-coordinator.mjs", import.meta.url)),
  };
  const expected =
    "the first 5 orders: 1 Porto, 2 Lyon, 3 Graz, 4 Turin, 5 Oslo\nARGUMENTS_INVALID: nothing was sent to the server\n";
  for (const [program, ...words] of [
    [process.execPath, "app.mjs"],
    ["python3", "app.py"],
  ]) {
    if (spawnSync(program, ["--version"]).error !== undefined) throw new Skip(`${program} is not installed`);
    const output = execFileSync(program, words, { cwd: project, env, encoding: "utf8" });
    console.log(`$ ${program === process.execPath ? "node" : program} ${words.join(" ")}\n${output}`);
    assert.equal(output, expected);
  }

  const runs = await command("runs", "--json", "--config", "mcp.json");
  assert.equal(JSON.parse(runs.stdout).length, 4);
});
