// mcporter, a gateway of the same kind, as a client: it lists our tools as signatures and calls them.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSubject, type Subject } from "./support/open-subject.js";
import { openOtherProgram } from "./support/other-program.js";

const mcporter = await openOtherProgram({ package: "mcporter@0.12.3", file: "dist/cli.js", node: 24 });

describe.skipIf(mcporter.problem !== undefined)(`mcporter 0.12.3 ${mcporter.problem ?? ""}`, () => {
  let subject: Subject;
  beforeAll(async () => {
    subject = await openSubject();
    const mcpServers = { local: subject.stdio, remote: subject.http };
    writeFileSync(join(subject.folder, "mcporter.json"), JSON.stringify({ mcpServers, imports: [] }));
  });
  afterAll(() => subject.close());

  it.each(["local", "remote"])("lists and calls the %s server", async (server) => {
    const run = (...words: string[]) => mcporter.run(["--config", "mcporter.json", ...words], subject);
    const listed = await run("list", server, "--schema");
    expect(listed.code, listed.stderr).toBe(0);
    expect(listed.stdout).toMatch(/function run_code\(code: string, language\?: "typescript" \| "python"/);
    expect(listed.stdout).toContain("function search_tools(");
    const code = 'import { add } from "servers/echo"; return await add({ a: 2, b: 40 });';
    const called = await run(
      "call",
      `${server}.run_code`,
      "--output",
      "json",
      "--args",
      JSON.stringify({ code }),
    );
    expect(called.code, called.stderr).toBe(0);
    expect(JSON.parse(called.stdout)).toEqual({ sum: 42 });
  });
});

describe.skipIf(mcporter.problem !== undefined).each(["direct", "both"])(
  `mcporter 0.12.3 and serve --surface %s ${mcporter.problem ?? ""}`,
  (surface) => {
    let subject: Subject;
    beforeAll(async () => {
      subject = await openSubject(["--surface", surface]);
      const { args, ...local } = subject.stdio;
      const mcpServers = { local: { ...local, args: [...args, "--surface", surface] }, remote: subject.http };
      writeFileSync(join(subject.folder, "mcporter.json"), JSON.stringify({ mcpServers, imports: [] }));
    });
    afterAll(() => subject.close());

    it.each(["local", "remote"])("lists and calls the tools of %s servers", async (server) => {
      const run = (...words: string[]) => mcporter.run(["--config", "mcporter.json", ...words], subject);
      const listed = await run("list", server, "--schema");
      expect(listed.code, listed.stderr).toBe(0);
      expect(listed.stdout).toContain("function add(a: number, b: number)");
      expect(listed.stdout.includes("function run_code(")).toBe(surface === "both");
      const called = await run("call", `${server}.add`, "--output", "json", "--args", '{"a":2,"b":40}');
      expect(called.code, called.stderr).toBe(0);
      expect(JSON.parse(called.stdout)).toEqual({ sum: 42 });
    });
  },
);
