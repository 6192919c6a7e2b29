// The official Inspector as a client: both protocol versions, stdio and HTTP, its checks of schemas and skills.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fixturePath } from "../support/fixture-servers.js";
import { openSubject, type Subject } from "./support/open-subject.js";
import { type Ended, openOtherProgram } from "./support/other-program.js";

const inspector = await openOtherProgram({
  package: "@modelcontextprotocol/inspector@2.12.0",
  file: "clients/launcher/build/index.js",
  node: 22,
});

const eras = [
  ["stdio-legacy", "2025-11-25"],
  ["stdio-modern", "2026-07-28"],
  ["http-legacy", "2025-11-25"],
  ["http-modern", "2026-07-28"],
] as const;

/** One entry for each transport and protocol version. `words`: further arguments of `serve` over stdio. */
const writeServers = ({ folder, stdio, http }: Subject, words: readonly string[], others = {}): void => {
  const entries = ["legacy", "modern"].flatMap((protocolEra) => [
    [`stdio-${protocolEra}`, { ...stdio, args: [...stdio.args, ...words], protocolEra }],
    [`http-${protocolEra}`, { type: "streamable-http", ...http, protocolEra }],
  ]);
  const mcpServers = { ...Object.fromEntries(entries), ...others };
  writeFileSync(join(folder, "inspector.json"), JSON.stringify({ mcpServers }));
};

const toInspector = (readSubject: () => Subject) => {
  const ask = (server: string, method: string, ...words: readonly string[]): Promise<Ended> => {
    const { env, folder } = readSubject();
    const given = ["--cli", "--config", "inspector.json", "--server", server, "--method", method];
    return inspector.run([...given, "--format", "json", ...words], {
      env: { ...env, MCP_INSPECTOR_SECRET_STORE: "memory" },
      folder,
    });
  };
  const resultOf = async (...given: Parameters<typeof ask>): Promise<Record<string, unknown>> => {
    const { code, stdout, stderr } = await ask(...given);
    expect(code, stderr + stdout).toBe(0);
    return (JSON.parse(stdout) as { result: Record<string, unknown> }).result;
  };
  return { ask, resultOf };
};

describe.skipIf(inspector.problem !== undefined)(`the Inspector 2.12.0 ${inspector.problem ?? ""}`, () => {
  let subject: Subject;
  beforeAll(async () => {
    subject = await openSubject();
    const stranger = { type: "streamable-http", url: subject.http.url, protocolEra: "legacy" };
    writeServers(subject, [], { "http-stranger": stranger });
    const code =
      'await skills.save({ name: "twice", description: "Doubles a number", code: "export const twice = async (value: number) => value * 2;" })';
    const saved = await ask(
      "http-legacy",
      "tools/call",
      "--tool-name",
      "run_code",
      "--tool-args-json",
      JSON.stringify({ code }),
    );
    expect(saved.code, saved.stderr + saved.stdout).toBe(0);
  });
  afterAll(() => subject.close());

  const { ask, resultOf } = toInspector(() => subject);

  it.each(eras)(
    "over %s finds the protocol %s, schemas that every host accepts, and runs a program",
    async (server, version) => {
      expect(await resultOf(server, "initialize")).toMatchObject({ protocolVersion: version });
      const { tools } = (await resultOf(server, "tools/list", "--strict")) as { tools: { name: string }[] };
      expect(tools.map(({ name }) => name)).toEqual(["run_code", "search_tools"]);
      const code = 'import { add } from "servers/echo"; return await add({ a: 2, b: 40 });';
      const answer = await resultOf(
        server,
        "tools/call",
        "--tool-name",
        "run_code",
        "--tool-args-json",
        JSON.stringify({ code }),
      );
      expect(answer.content).toEqual([{ type: "text", text: '{"sum":42}' }]);
    },
  );

  it.each(["http-legacy", "http-modern"])(
    "over %s reads resources and prompts, and verifies the skills",
    async (server) => {
      const { resources } = (await resultOf(server, "resources/list")) as { resources: { uri: string }[] };
      expect(resources.map(({ uri }) => uri)).toContain("library://manual/typescript");
      const read = await resultOf(server, "resources/read", "--uri", "library://manual/typescript");
      expect(JSON.stringify(read.contents)).toContain("echo");
      const { prompts } = (await resultOf(server, "prompts/list")) as { prompts: { name: string }[] };
      expect(prompts.map(({ name }) => name)).toContain("usage-guide");
      const verified = await ask(server, "skills/list", "--verify");
      expect(verified.code, verified.stderr).toBe(0);
      expect(verified.stderr).toMatch(/Verified 1 skill and 3 files: no conformance errors/);
    },
  );

  it("gets an error for an unknown tool, and is refused without a token", async () => {
    expect(
      (await ask("http-modern", "tools/call", "--tool-name", "nope", "--tool-args-json", "{}")).code,
    ).toBe(5);
    const stranger = await ask("http-stranger", "tools/list");
    expect(stranger.code).toBe(3);
  });
});

describe.skipIf(inspector.problem !== undefined).each(["direct", "both"])(
  `the Inspector 2.12.0 and serve --surface %s ${inspector.problem ?? ""}`,
  (surface) => {
    let subject: Subject;
    beforeAll(async () => {
      const mirrors = { command: process.execPath, args: [fixturePath("mirrors")] };
      const echo = { command: process.execPath, args: [fixturePath("echo")] };
      subject = await openSubject(["--surface", surface], { echo, mirrors });
      writeServers(subject, ["--surface", surface]);
    });
    afterAll(() => subject.close());
    const { resultOf } = toInspector(() => subject);

    it.each(eras)(
      "over %s finds the protocol %s and uses what the servers offer",
      async (server, version) => {
        expect(await resultOf(server, "initialize")).toMatchObject({ protocolVersion: version });
        const { tools } = (await resultOf(server, "tools/list")) as { tools: { name: string }[] };
        const names = tools.map(({ name }) => name);
        expect(names).toEqual(expect.arrayContaining(["add", "mirror"]));
        expect(names.includes("run_code")).toBe(surface === "both");
        const add = ["--tool-name", "add", "--tool-args-json", '{"a":2,"b":40}'];
        expect(await resultOf(server, "tools/call", ...add)).toMatchObject({
          structuredContent: { sum: 42 },
        });
        const { resources } = (await resultOf(server, "resources/list")) as { resources: { uri: string }[] };
        expect(resources.map(({ uri }) => uri)).toContain("mirror://watched");
        const read = await resultOf(server, "resources/read", "--uri", "mirror://watched");
        expect(JSON.stringify(read.contents)).toContain("content of mirror://watched");
        const { prompts } = (await resultOf(server, "prompts/list")) as { prompts: { name: string }[] };
        expect(prompts.map(({ name }) => name)).toContain("greet");
      },
    );
  },
);
