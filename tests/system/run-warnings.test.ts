// Warnings of the check reach the reader of a run, even of a completed one.
import { afterAll, beforeAll, expect, it } from "vitest";
import { callSurfaceTool } from "../../src/surfaces/mcp-server/agent-tools/index.js";
import { type OpenFixture, openFixture } from "../support/open-fixture.js";
import { type CommandLine, openCommandLine } from "./cli/run-command.js";

const learn = 'return await echo.echo({ text: JSON.stringify({ title: "a" }) })';
const misspelt = `const answer = await echo.echo({ text: JSON.stringify({ title: "a" }) });
return [answer.titel, answer.title];`;

let fixture: OpenFixture;
let line: CommandLine;
beforeAll(async () => {
  fixture = await openFixture();
  line = openCommandLine();
});
afterAll(async () => {
  await fixture.close();
  line.close();
});

it("a completed run warns the model about a misspelled field of a learned shape", async () => {
  await fixture.run(learn);
  const answer = await callSurfaceTool(fixture.coordinator, {
    name: "run_code",
    arguments: { code: misspelt },
    signal: new AbortController().signal,
  });
  const { content } = answer as { content: { text: string }[] };
  expect(content[0]?.text).toBe('[null,"a"]');
  expect(content[1]?.text).toMatch(/^Warning, line 2: .*titel/);
});

it("warnings are a few lines, however many there are", async () => {
  const code = `const answer = await echo.echo({ text: "{}" });\n${"answer.titel;\n".repeat(50)}return 1;`;
  const { warnings = [], shown } = await fixture.run(code, { output: "json" });
  expect(warnings.length).toBeGreaterThan(3);
  expect(shown?.texts[1]?.split("\n")).toHaveLength(4);
  expect(shown?.texts[1]).toContain("more warnings");
});

it("run prints warnings of a completed program on stderr, and includes them in its JSON", async () => {
  await line.run(["run", "-e", learn]);
  const printed = await line.run(["run", "-e", misspelt]);
  expect(printed.code).toBe(0);
  expect(printed.stdout).not.toContain("titel");
  expect(printed.stderr).toMatch(/warning line 2: .*titel/);
  const { stdout } = await line.run(["run", "-e", misspelt, "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({
    status: "completed",
    warnings: [{ severity: "warning", line: 2, message: expect.stringContaining("titel") }],
  });
});
