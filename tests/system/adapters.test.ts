// Hand-written files of the library: imported by programs, checked with them, and kept by `generate`.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fixturePath } from "../support/fixture-servers.js";
import { type OpenFixture, openFixture } from "../support/open-fixture.js";

const totals = `import { add } from "./add.js";
import { label, type Labelled } from "./labels.js";

export const total = async (numbers: readonly number[]): Promise<Labelled> => {
  let sum = 0;
  for (const one of numbers) ({ sum } = await add({ a: sum, b: one }));
  return { sum, label: label("total") };
};
export const throws = () => {
  throw new Error("boom in the adapter");
};
export const toolFails = async () => {
  await echo.fail({ message: "no way" });
};
export default total;
`;

const labels = `import { total } from "./totals.js";
export interface Labelled { readonly sum: number; readonly label: string }
export const label = (text: string): string => "<" + text + ">";
export const twice = async (numbers: number[]) => [await total(numbers), await total(numbers)];
`;

const pythonTotals = `from mcp_tools.echo import add
from .labels import label

def total(numbers):
    result = 0
    for one in numbers:
        answer = add(a=result, b=one)
        assert isinstance(answer, dict)
        result = answer["sum"]
    return {"sum": result, "label": label("total")}

async def later(a, b):
    return (await add(a=a, b=b))["sum"]

def throws():
    raise ValueError("boom in the adapter")
`;

let library: string;
let fixture: OpenFixture;

const put = (path: string, text: string): void => {
  mkdirSync(dirname(join(library, path)), { recursive: true });
  writeFileSync(join(library, path), text);
};

beforeAll(async () => {
  library = mkdtempSync(join(tmpdir(), "coordinator-library-"));
  put("servers/echo/totals.ts", totals);
  put("servers/echo/labels.ts", labels);
  put("mcp_tools/echo/totals.py", pythonTotals);
  put("mcp_tools/echo/labels.py", 'def label(text):\n    return f"<{text}>"\n');
  fixture = await openFixture(
    { "second-one": { command: process.execPath, args: [fixturePath("echo")] } },
    { libraryFolder: library },
  );
});
afterAll(async () => {
  await fixture.close();
  rmSync(library, { recursive: true, force: true });
});

describe("adapters in TypeScript", () => {
  it.each([
    'import { total } from "servers/echo/totals"; return await total([1, 2, 3]);',
    'import total from "./servers/echo/totals.ts"; return await total([1, 2, 3]);',
    'import * as totals from "servers/echo/totals"; return await totals.total([1, 2, 3]);',
    'const { total } = await import("servers/echo/totals"); return await total([1, 2, 3]);',
  ])("are imported: %s", async (code) => {
    const result = await fixture.run(code);

    expect(result.error).toBeUndefined();
    expect(result.value).toEqual({ sum: 6, label: "<total>" });
    expect(result.calls.map(({ tool }) => tool)).toEqual(["add", "add", "add"]);
  });

  it("can import each other in a cycle, and tools of other servers", async () => {
    put(
      "servers/echo/across.ts",
      'import { add } from "../secondOne/index.js";\nexport const far = () => add({ a: 20, b: 1 });\n',
    );
    const result = await fixture.run(
      'import { twice } from "servers/echo/labels"; import { far } from "servers/echo/across"; return [await twice([1]), await far()];',
    );

    expect(result.value).toEqual([
      [
        { sum: 1, label: "<total>" },
        { sum: 1, label: "<total>" },
      ],
      { sum: 21 },
    ]);
  });

  it("also run in the WebAssembly sandbox", async () => {
    const wasm = await openFixture({}, { libraryFolder: library, executor: "wasm" });
    const good = await wasm.run('import { total } from "servers/echo/totals"; return await total([4]);');
    const bad = await wasm.run('import { throws } from "servers/echo/totals"; throws();');
    await wasm.close();

    expect(good.value).toEqual({ sum: 4, label: "<total>" });
    expect(bad.error).toMatchObject({ file: "servers/echo/totals.ts", line: 10 });
  });

  it("add their calls to the manifest of the program", async () => {
    const { manifest, isValid } = await fixture.coordinator.checkCode({
      code: 'import { total } from "servers/echo/totals"; return await total([1]);',
    });

    expect(isValid).toBe(true);
    expect(manifest.hasDynamicCalls).toBe(false);
    expect(manifest.calls).toMatchObject([
      { tool: "add", file: "servers/echo/totals.ts", count: "many", max: 100, constants: {} },
      { tool: "fail", file: "servers/echo/totals.ts", count: "many", constants: { message: "no way" } },
    ]);
  });

  it.each([
    ['export { add } from "servers/echo";', ["add"], false],
    ['import { add } from "servers/echo"; export { add as plus };', ["add"], false],
    ['import { add } from "servers/echo"; export const plus = add;', ["add"], false],
    ['export * from "./add.js";', ["add"], false],
    ['export * from "servers/echo";', [], true],
    ['import echo from "servers/echo"; export default echo;', [], true],
  ])("that pass tools on have them in the manifest: %s", async (source, tools, hasDynamicCalls) => {
    put("servers/echo/hands-on.ts", source);
    const { manifest } = await fixture.coordinator.checkCode({
      code: 'import * as all from "servers/echo/hands-on"; return Object.keys(all);',
    });

    expect(manifest.calls.map(({ tool }) => tool)).toEqual(tools);
    expect(manifest.hasDynamicCalls).toBe(hasDynamicCalls);
  });

  it("can be imported for a type only, or without names", async () => {
    const result = await fixture.run(
      'import { Labelled } from "servers/echo/labels"; import { total } from "servers/echo/totals"; const one: Labelled = { sum: 1, label: "" }; return one.sum;',
    );

    expect(result.error).toBeUndefined();
    expect(result.value).toBe(1);
  });

  it("have the same rights as the program", async () => {
    const other = await fixture.run('import { total } from "servers/echo/totals"; return await total([1]);', {
      servers: ["second-one"],
    });
    const bounded = await fixture.run(
      'import { total } from "servers/echo/totals"; return await total([1]);',
      { staysWithinManifest: true },
    );
    put("servers/echo/reaches-out.ts", 'import os from "node:os"; export const read = () => os;\n');
    const outside = await fixture.run('import { read } from "servers/echo/reaches-out"; return read();');

    expect(other.error).toMatchObject({ code: "SERVER_NOT_ALLOWED" });
    expect(bounded.status).toBe("completed");
    expect(outside.error).toMatchObject({
      code: "PROGRAM_INVALID",
      file: "servers/echo/reaches-out.ts",
      line: 1,
    });
  });

  it("are checked with the program: a mistake is reported with its file and line, and nothing is called", async () => {
    put(
      "servers/echo/wrong.ts",
      'import { add } from "./add.js";\n\nexport const sum = async () => {\n  const answer = await add({ a: 1, b: 2 });\n  return answer.total;\n};\n',
    );
    put(
      "servers/echo/wrong-argument.ts",
      'import { add } from "./add.js";\nexport const f = () => add({ x: 1 });\n',
    );
    const before = fixture.log().filter((line) => line === "call add").length;
    const field = await fixture.run(
      'import { sum } from "servers/echo/wrong"; await echo.add({ a: 1, b: 1 }); return await sum();',
    );
    const argument = await fixture.run('import { f } from "servers/echo/wrong-argument"; return await f();');

    expect(field.error).toMatchObject({
      code: "PROGRAM_INVALID",
      file: "servers/echo/wrong.ts",
      line: 5,
      excerpt: "return answer.total;",
    });
    expect(field.error?.message).toMatch(/"total".*"echo\.add"/);
    expect(argument.error).toMatchObject({ file: "servers/echo/wrong-argument.ts", line: 2 });
    expect(fixture.log().filter((line) => line === "call add")).toHaveLength(before);
  });

  it("provide their types to the program", async () => {
    put(
      "servers/echo/typed.ts",
      'import { add } from "./add.js";\nexport const plus = (a: number, b: number) => add({ a, b });\n',
    );
    const { diagnostics } = await fixture.coordinator.checkCode({
      code: 'import { plus } from "servers/echo/typed";\nreturn (await plus(1, 2)).summ;',
    });
    const promise = await fixture.coordinator.checkCode({
      code: 'import { plus } from "servers/echo/typed";\nreturn plus(1, 2).sum;',
    });

    expect(diagnostics).toMatchObject([{ severity: "error", code: "FIELD_UNKNOWN", line: 2 }]);
    expect(diagnostics[0]?.message).toContain('did you mean "sum"');
    expect(diagnostics[0]).not.toHaveProperty("file");
    expect(promise.diagnostics).toMatchObject([{ code: "AWAIT_MISSING", line: 2 }]);
  });

  it("can use a server's global in another way than the program does", async () => {
    put(
      "servers/echo/by-global.ts",
      "export const one = async () => (await echo.add({ a: 1, b: 0 })).sum;\n",
    );
    const result = await fixture.run(
      'import { one } from "servers/echo/by-global"; return [await one(), (await echo.structured({ class: "x" })).items.length, await echo.echo({ text: "t" })];',
    );

    expect(result.error).toBeUndefined();
    expect(result.value).toEqual([1, 3, "t"]);
  });

  it.each([
    ['import { totl } from "servers/echo/totals"; await totl([1]);', /does not export it.*"total"/],
    ['import { total } from "servers/echo/totels"; await total([1]);', /"servers\/echo\/totals"/],
    ['import { x } from "servers/echo/nothing-like-it"; await x();', /no such tool/],
  ])("suggest the nearest name: %s", async (code, message) => {
    const { error } = await fixture.run(code);

    expect(error).toMatchObject({ code: "PROGRAM_INVALID", line: 1 });
    expect(error?.message).toMatch(message);
  });

  it("that fail are reported with their file, line and text", async () => {
    const thrown = await fixture.run('import { throws } from "servers/echo/totals";\nthrows();');
    const tool = await fixture.run('import { toolFails } from "servers/echo/totals";\nawait toolFails();');

    expect(thrown.error).toMatchObject({
      code: "PROGRAM_FAILED",
      message: "boom in the adapter",
      file: "servers/echo/totals.ts",
      line: 10,
      excerpt: 'throw new Error("boom in the adapter");',
    });
    expect(tool.error).toMatchObject({ code: "TOOL_FAILED", file: "servers/echo/totals.ts", line: 13 });
  });

  it("take precedence over a tool of the same name", async () => {
    put("servers/echo/slow.ts", "export const slow = () => 'mine';\n");
    const result = await fixture.run('import { slow } from "servers/echo/slow"; return slow();');
    rmSync(join(library, "servers/echo/slow.ts"));

    expect(result.value).toBe("mine");
  });

  it("are not read through a link that points outside, and reveal no path of the host", async () => {
    symlinkSync(fixturePath("echo"), join(library, "servers/echo/linked.ts"));
    const { error } = await fixture.run('import { x } from "servers/echo/linked"; return x;');
    rmSync(join(library, "servers/echo/linked.ts"));

    expect(error?.message).toContain("a link out of the library's folder");
    expect(JSON.stringify(error)).not.toContain(library);
  });

  it("count with the program's text against its limit", async () => {
    put("servers/echo/long.ts", `export const long = "${"x".repeat(5000)}";\n`);
    const { error } = await fixture.run('import { long } from "servers/echo/long"; return long.length;', {
      limits: { codeBytes: 4000 },
    });

    expect(error).toMatchObject({ code: "LIMIT_CODE" });
  });

  it("do not exist without a library folder", async () => {
    const without = await openFixture();
    const { error } = await without.run('import { total } from "servers/echo/totals"; return total;');
    await without.close();

    expect(error).toMatchObject({ code: "PROGRAM_INVALID" });
  });

  it.each(["typescript", "python"] as const)("survive generate in %s", async (language) => {
    await fixture.coordinator.generateLibrary({ folder: library, language });
    const again = await fixture.coordinator.generateLibrary({ folder: library, language });

    expect(again).toMatchObject({ written: 0, removed: 0 });
    expect(
      existsSync(join(library, language === "python" ? "mcp_tools/echo/add.py" : "servers/echo/add.ts")),
    ).toBe(true);
    expect(readFileSync(join(library, "servers/echo/totals.ts"), "utf8")).toBe(totals);
    expect(readFileSync(join(library, "mcp_tools/echo/totals.py"), "utf8")).toBe(pythonTotals);
    const result = await fixture.run('import { total } from "servers/echo/totals"; return await total([2]);');
    expect(result.value).toEqual({ sum: 2, label: "<total>" });
  });
});

describe.each(["python", "python-lite"] as const)("adapters in Python, executor %s", (executor) => {
  let own: OpenFixture;
  beforeAll(async () => {
    own = await openFixture({}, { libraryFolder: library, executor });
  });
  afterAll(() => own.close());
  const run = (code: string) => own.run(code, { language: "python" });

  it.each([
    "from mcp_tools.echo.totals import total\ntotal([1, 2, 3])",
    "from mcp_tools.echo import totals\ntotals.total([1, 2, 3])",
    "import mcp_tools.echo.totals as totals\ntotals.total([1, 2, 3])",
    "import asyncio\nfrom mcp_tools.echo.totals import total\nasync def main():\n    return total([1, 2, 3])\nasyncio.run(main())",
  ])("are imported: %j", async (code) => {
    const result = await run(code);

    expect(result.error).toBeUndefined();
    expect(result.value).toEqual({ sum: 6, label: "<total>" });
  });

  it("can have async functions that a program awaits", async () => {
    const result = await run("from mcp_tools.echo.totals import later\nreturn await later(3, 4)");

    expect(result.value).toBe(7);
  });

  it("are next to the modules of the tools", async () => {
    const result = await run(
      "from mcp_tools.echo.add import add\nfrom mcp_tools.echo import totals\nfrom mcp_tools import echo\n[add(a=1, b=2), echo.add(a=2, b=2), totals.total([5])]",
    );

    expect(result.value).toEqual([{ sum: 3 }, { sum: 4 }, { sum: 5, label: "<total>" }]);
  });

  it("that fail are reported with their file, line and text", async () => {
    const { error } = await run("from mcp_tools.echo import totals\ntotals.throws()");

    expect(error).toMatchObject({
      file: "mcp_tools/echo/totals.py",
      line: 16,
      excerpt: 'raise ValueError("boom in the adapter")',
    });
  });
});
