// A plan on the command line: it says that nothing was done and what it would do, and is listed as a plan.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { fixturePath } from "../../support/fixture-servers.js";
import { openCommandLine } from "./run-command.js";

it("a plan is distinguished from a run, as text, as JSON and in the list of runs", async () => {
  const line = openCommandLine();
  onTestFinished(() => line.close());
  const shop = {
    command: process.execPath,
    args: [fixturePath("shop"), "--file", join(line.folder, "shop.txt")],
  };
  writeFileSync(join(line.folder, "mcp.json"), JSON.stringify({ mcpServers: { shop } }));
  const run = (...words: string[]) => line.run([...words, "--config", "mcp.json"]);

  const honest = await run("run", "-e", "await shop.label({ id: 1 })", "--plan", "--verbose");
  expect(honest.stderr).toContain("○ shop.label");
  expect(honest.stderr).toMatch(
    /plan no server was changed\nIt can call:\n {2}line 1: shop.label\(id: 1\), writes, once\nIt would make 1 call:/,
  );
  expect(honest.stderr).toContain("This makes this call and no other:");
  expect(honest.stderr).toMatch(/^planned in/m);
  expect(honest.stderr).not.toContain("✓");

  const looked = 'const { id } = await shop.create({ text: "a" }); await shop.label({ id }); return id';
  const refused = await run("run", "-e", looked, "--plan");
  expect(refused.stderr).toContain("what was printed and returned is computed from made-up answers");
  expect(refused.stdout).toContain('(after a made-up answer: call 1, "shop.create")');
  expect(refused.stderr).toContain("This plan cannot be committed: the program may have inspected");
  const { plan } = JSON.parse((await run("run", "-e", looked, "--plan", "--json")).stdout);
  expect(plan).toMatchObject({ usesSimulated: true, calls: [{}, { usesSimulated: true }] });

  expect((await run("runs")).stdout.match(/\bplanned\b/g)).toHaveLength(3);
});
