// A program that never closes its coordinator still exits, and its figures are stored.
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, it } from "vitest";
import { referenceServers } from "../../support/reference-servers.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "forgotten-close-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const library = pathToFileURL(join(import.meta.dirname, "../../../dist/bundle/index.js")).href;

it("a program of three lines exits with its servers, and its figures are stored", async () => {
  const options = {
    config: { mcpServers: referenceServers(["supabase"]) },
    settings: { cacheFolder: join(folder, "cache"), stateFolder: join(folder, "state") },
  };
  const file = join(folder, "program.mjs");
  writeFileSync(
    file,
    `import { Coordinator } from ${JSON.stringify(library)};
const coordinator = new Coordinator(${JSON.stringify(options)});
console.log(JSON.stringify(await coordinator.executeCode("return supabase.listTables()", { language: "typescript" })));
const { servers } = { servers: await (await coordinator.open()).listServers() };
console.log(servers[0].processId);
`,
  );
  const { stdout } = await promisify(execFile)(process.execPath, [file], { timeout: 60_000 });
  const [outcome = "", processId] = stdout.trim().split("\n");

  expect(JSON.parse(outcome)).toMatchObject({
    success: true,
    result: [{ name: "users" }, { name: "orders" }],
  });
  expect(() => process.kill(Number(processId), 0)).toThrow(/ESRCH/);
  expect(readdirSync(join(folder, "cache", "statistics"))).not.toEqual([]);
});
