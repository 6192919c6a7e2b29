// The generated library in a person's own project: plain Node, a strict TypeScript project, plain Python, over real servers.
import { spawn } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { hasPython } from "../process/codegen/check-python.js";
import { fixturePath } from "../support/fixture-servers.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const bin = fileURLToPath(new URL("../../bin/mcp-coordinator.mjs", import.meta.url));
const compiler = fileURLToPath(new URL("../../node_modules/typescript/bin/tsc", import.meta.url));

interface Project {
  readonly folder: string;
  readonly write: (path: string, content: string) => void;
  readonly start: (
    command: string,
    words: readonly string[],
    env?: Readonly<Record<string, string>>,
  ) => Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>;
}

/** A project with a configuration and the generated library in both languages. */
const openProject = async (settings: object = {}): Promise<Project> => {
  const root = await temporaryFolder();
  const folder = join(root, "project");
  const write = (path: string, content: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  };
  const environment = {
    PATH: [dirname(process.execPath), "/usr/bin", "/bin", process.env.PATH].join(":"),
    HOME: join(root, "home"),
    MCP_COORDINATOR_COMMAND: bin,
  };
  const start: Project["start"] = async (command, words, env = {}) => {
    const child = spawn(command, words, {
      cwd: folder,
      env: { ...environment, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { code: await ended, stdout, stderr };
  };
  const echo = { command: process.execPath, args: [fixturePath("echo")] };
  const numbers = { command: process.execPath, args: [fixturePath("digits")] };
  const library = { command: process.execPath, args: [fixturePath("library")] };
  write("mcp.json", JSON.stringify({ mcpServers: { echo, numbers, library }, coordinator: settings }));
  for (const language of ["typescript", "python"]) {
    const words = ["generate", "--out", "library", "--language", language, "--config", "mcp.json"];
    expect(await start(process.execPath, [bin, ...words])).toMatchObject({ code: 0 });
  }
  return { folder, write, start };
};

describe("the generated TypeScript library", () => {
  it("calls real servers from plain Node, even concurrently, and the process ends by itself", async () => {
    const project = await openProject();
    project.write(
      "use.mjs",
      `import echo, { add } from "./library/servers/echo/index.mjs";
import numbers from "./library/servers/numbers/index.mjs";
const sums = await Promise.all([1, 2, 3].map((n) => add({ a: n, b: n })));
const { came, large } = await numbers.repeat({ id: 1234567890123456789n, deep: JSON.parse('{"__proto__":[1]}') });
console.log(JSON.stringify([sums, await echo.echo({ text: "ö\\u2028\\n" }), came, String(large.id)]));`,
    );
    const { code, stdout, stderr } = await project.start(process.execPath, ["use.mjs"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(stdout)).toEqual([
      [{ sum: 2 }, { sum: 4 }, { sum: 6 }],
      "ö\u2028\n",
      { id: "1234567890123456789", deep: JSON.parse('{"__proto__":["1"]}') },
      "1234567890123456789",
    ]);
    const runs = await project.start(process.execPath, [bin, "runs", "--json", "--config", "mcp.json"]);
    expect(JSON.parse(runs.stdout)).toHaveLength(5);
  });

  it("still finds its configuration after the project was moved, from any folder", async () => {
    const project = await openProject();
    const moved = join(dirname(project.folder), "elsewhere");
    project.write(
      "use.mjs",
      'import { add } from "./library/servers/echo/index.mjs"; console.log((await add({ a: 1, b: 2 })).sum);',
    );
    await rename(project.folder, moved);
    mkdirSync(project.folder);
    expect(await project.start(process.execPath, [join(moved, "use.mjs")])).toMatchObject({
      code: 0,
      stdout: "3\n",
    });
  });

  it("is a typed package for a strict TypeScript project", async () => {
    const project = await openProject();
    mkdirSync(join(project.folder, "node_modules"));
    symlinkSync(join(project.folder, "library", "servers"), join(project.folder, "node_modules/mcp-servers"));
    project.write("package.json", '{ "type": "module" }');
    const options = { strict: true, module: "nodenext", target: "es2023", outDir: "dist", rootDir: "src" };
    project.write("tsconfig.json", JSON.stringify({ compilerOptions: options, include: ["src"] }));
    project.write(
      "src/use.ts",
      `import { add } from "mcp-servers/echo";
import { ToolError } from "mcp-servers";
import library, { prompts, resources } from "mcp-servers/library";
const [rules] = await resources.read({ uri: "library://rules" });
const { messages } = await prompts.reviewBook({ title: "dune" });
const named: typeof prompts.reviewBook = library.prompts["review-book"];
console.log(rules?.text, messages.length, (await named({ title: "emma" })).messages.length);
// @ts-expect-error there is no such prompt
prompts.reviewBok;
// @ts-expect-error "title" is missing
await prompts.reviewBook({}).catch(() => {});
const { sum }: { sum: number } = await add({ a: 20, b: 22 });
console.log(sum);
// @ts-expect-error "b" is missing
await add({ a: 1 }).catch((error: unknown) => {
  if (error instanceof ToolError) console.log(error.code);
});
`,
    );
    expect(await project.start(process.execPath, [compiler, "-p", "."])).toEqual({
      code: 0,
      stdout: "",
      stderr: "",
    });
    const { stdout } = await project.start(process.execPath, ["dist/use.js"]);
    expect(stdout).toBe("Be quiet. 1 1\n42\nARGUMENTS_INVALID\n");
  });

  it("reports failures with a code, the lines of the program and the next step", async () => {
    const project = await openProject({ approve: ["echo.add"] });
    project.write(
      "use.mjs",
      `import { add, fail } from "./library/servers/echo/index.mjs";
const show = async (work) => {
  try { await work(); } catch (error) {
    console.log(JSON.stringify([error.name, error.code, error.message, error.stack.includes("use.mjs")]));
  }
};
await show(() => fail({ message: "it broke" }));
await show(() => add({ a: 1, b: 2 }));`,
    );
    const { stdout } = await project.start(process.execPath, ["use.mjs"]);
    const [failed, denied] = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(failed).toEqual(["ToolError", "TOOL_FAILED", "it broke", true]);
    expect(denied.slice(0, 2)).toEqual(["ToolError", "CALL_DENIED"]);
    expect(denied[2]).toMatch(/waits for your approval.* resume [0-9a-f]+ /);

    const missing = { MCP_COORDINATOR_COMMAND: "", PATH: "/nowhere" };
    const none = await project.start(process.execPath, ["use.mjs"], missing);
    expect(none.stdout).toContain('"COORDINATOR_NOT_FOUND"');
    expect(none.stdout).toContain("npm install -g .");
    const wrong = await project.start(process.execPath, ["use.mjs"], {
      MCP_COORDINATOR_COMMAND: "/not/there",
    });
    expect(wrong.stdout).toContain('"COORDINATOR_NOT_FOUND"');
    const ends = { MCP_SERVERS_CONFIG: "/not/there.json" };
    const ended = await project.start(process.execPath, ["use.mjs"], ends);
    expect(ended.stdout).toContain('"COORDINATOR_ENDED"');
    expect(ended.stderr).toContain("/not/there.json");
  });
});

describe.skipIf(!hasPython)("the generated Python library (skipped: python3 is not installed)", () => {
  it("calls real servers from plain Python, even from threads, and the process ends by itself", async () => {
    const project = await openProject();
    project.write(
      "use.py",
      `import json
from concurrent.futures import ThreadPoolExecutor
from mcp_tools.echo import add, echo
from mcp_tools.library import prompts, resources
rules = resources.read(uri="library://rules")[0]["text"]
review = prompts.review_book(title="emma")["messages"][0]["content"]["text"]
with ThreadPoolExecutor(3) as pool:
    sums = list(pool.map(lambda n: add(a=n, b=n), [1, 2, 3]))
print(json.dumps([sums, add({"a": 1, "b": 2}), echo(text="ö\\u2028"), rules, review]))`,
    );
    const env = { PYTHONPATH: "library" };
    const { code, stdout, stderr } = await project.start("python3", ["use.py"], env);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(stdout)).toEqual([
      [{ sum: 2 }, { sum: 4 }, { sum: 6 }],
      { sum: 3 },
      "ö\u2028",
      "Be quiet.",
      "Write a kind review of emma",
    ]);
  });

  it("raises errors with a code and the next step", async () => {
    const project = await openProject({ approve: ["echo.add"] });
    project.write(
      "use.py",
      `from mcp_tools import ToolError
from mcp_tools.echo import add, fail
for work in (lambda: fail(message="it broke"), lambda: add(a=1, b=2), lambda: add(1, 2)):
    try:
        work()
    except (ToolError, TypeError) as error:
        print(getattr(error, "code", "TypeError"), error)`,
    );
    const env = { PYTHONPATH: "library" };
    const { stdout } = await project.start("python3", ["use.py"], env);
    const [failed, denied, positional] = stdout.trim().split("\n");
    expect(failed).toBe("TOOL_FAILED it broke");
    expect(denied).toMatch(/^CALL_DENIED .*waits for your approval.* resume /);
    expect(positional).toBe("TypeError expected keyword arguments or one dictionary");
    const none = await project.start("python3", ["use.py"], {
      ...env,
      MCP_COORDINATOR_COMMAND: "/not/there",
    });
    expect(none.stdout).toContain("COORDINATOR_NOT_FOUND");
    expect(none.stdout).toContain("npm install -g .");
  });
});
