// Persistent data through the whole coordinator: files, memory and states of programs, by workspace.
import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { openCoordinator } from "../../src/index.js";
import { describeSurface } from "../../src/surfaces/mcp-server/agent-tools/index.js";
import { fixturePath } from "../support/fixture-servers.js";
import { type OpenFixture, openFixture } from "../support/open-fixture.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const executors = ["typescript", "python"] as const;
let fixture: OpenFixture;
let hasPython = true;

beforeAll(async () => {
  fixture = await openFixture();
  const { error } = await fixture.run("1", { language: "python" });
  hasPython = error?.code !== "LANGUAGE_UNAVAILABLE";
});
afterAll(() => fixture.close());

const evaluate = async (code: string, more: Parameters<OpenFixture["run"]>[1] = {}): Promise<unknown> => {
  const result = await fixture.run(code, more);
  return result.error === undefined ? result.value : result.error;
};

/** The same in both languages: writes what it was given under a name, or reads it. */
const programs = {
  typescript: {
    write: (text: string) => `await fs.writeFile("./workspace/note.txt", ${JSON.stringify(text)});`,
    read: 'return await fs.readFile("./workspace/note.txt", "utf8").catch((error) => error.code);',
    head: 'import fs from "fs/promises";\n',
  },
  python: {
    write: (text: string) => `open("workspace/note.txt", "w").write(${JSON.stringify(text)})`,
    read: 'import os\nopen("workspace/note.txt").read() if os.path.exists("workspace/note.txt") else "ENOENT"',
    head: "",
  },
} as const;

/** The processes of this one's TypeScript sandboxes, without those that put up their walls. */
const listSandboxes = (): readonly number[] => {
  const all = readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
      return [{ id: Number(name), parent, command: readFileSync(`/proc/${name}/cmdline`, "utf8") }];
    } catch {
      return [];
    }
  });
  const below = (id: number): typeof all =>
    all.filter(({ parent }) => parent === id).flatMap((one) => [one, ...below(one.id)]);
  return below(process.pid)
    .filter(({ command }) =>
      /^[^\0]*node\0.*\/guests\/typescript\/(?:isolate|wasm)-child\.mjs/s.test(command),
    )
    .map(({ id }) => id);
};

describe("the workspace of programs", () => {
  it("runs the article's example unchanged", async () => {
    const first = await evaluate(`
      import * as fs from 'fs/promises';
      import * as echo from './servers/echo';
      const leads = [{ Id: 1, Email: "a@example.com" }, { Id: 2, Email: "b@example.com" }];
      const csvData = leads.map(l => \`\${l.Id},\${l.Email}\`).join('\\n');
      await fs.writeFile('./workspace/leads.csv', csvData);
      return typeof echo;`);
    const second = await evaluate(`
      import fs from "node:fs/promises";
      const saved = await fs.readFile('./workspace/leads.csv', 'utf-8');
      return saved.split("\\n").length;`);

    expect([first, second]).toEqual(["object", 2]);
  });

  it.each(executors)("persists between runs, separately for each workspace, in %s", async (language) => {
    if (language === "python" && !hasPython) return;
    const { head, write, read } = programs[language];
    const of = (workspace: string) => ({ language, workspace: `${workspace}-${language}` });

    await evaluate(head + write("of ada"), of("ada"));

    expect(await evaluate(head + read, of("ada"))).toBe("of ada");
    expect(await evaluate(head + read, { ...of("ada"), session: "one" })).toBe("of ada");
    expect(await evaluate(head + read, of("bob"))).toBe("ENOENT");
    await evaluate(head + write("of bob"), of("bob"));
    expect(await evaluate(head + read, of("ada"))).toBe("of ada");
  });

  it("is the same from TypeScript and Python", async ({ skip }) => {
    skip(!hasPython, "there is no Python here");
    await evaluate(programs.typescript.head + programs.typescript.write("from one"), { workspace: "both" });
    expect(await evaluate(programs.python.read, { language: "python", workspace: "both" })).toBe("from one");
    await evaluate('memory.save("k", {"n": [1, None]}, {"why": "x"})', {
      language: "python",
      workspace: "both",
    });
    expect(
      await evaluate('return [await memory.load("k"), (await memory.info("k")).metadata]', {
        workspace: "both",
      }),
    ).toEqual([{ n: [1, null] }, { why: "x" }]);
    await evaluate('await saveState({ step: 3 }, "job")', { workspace: "both" });
    expect(
      await evaluate('get_state("job")["value"]["step"]', { language: "python", workspace: "both" }),
    ).toBe(3);
  });

  it.runIf(process.platform === "linux")(
    "is isolated by process: runs of two workspaces never share a sandbox process (needs Linux)",
    async () => {
      const own = await openFixture();
      const before = listSandboxes();
      await own.run("return 1", { workspace: "ada" });
      const first = listSandboxes().filter((id) => !before.includes(id));
      await own.run("return 1", { workspace: "bob" });
      const both = listSandboxes().filter((id) => !before.includes(id));
      await own.close();

      expect(first.length).toBeGreaterThan(0);
      expect(both.length).toBeGreaterThan(first.length);
    },
  );

  it("separates sessions of the same name in different workspaces", async () => {
    await evaluate("const mine = 'of ada';", { session: "notes", workspace: "ada" });

    expect(await evaluate("return typeof mine", { session: "notes", workspace: "bob" })).toBe("undefined");
    expect(await evaluate("return typeof mine", { session: "notes" })).toBe("undefined");
    expect(await evaluate("return mine", { session: "notes", workspace: "ada" })).toBe("of ada");
    expect(await fixture.coordinator.resetSession({ session: "notes", workspace: "ada" })).toBe(true);
    expect(await evaluate("return typeof mine", { session: "notes", workspace: "ada" })).toBe("undefined");
  });

  it.each(["../ada", "", "a/b", "a\\b", ".", "..", "con\u0000", "a".repeat(100)])(
    "refuses the workspace name %j before anything runs",
    async (workspace) => {
      const { error, calls } = await fixture.run("await echo.add({ a: 1, b: 2 })", { workspace });
      expect(error).toMatchObject({ code: "NAME_INVALID" });
      expect(calls).toEqual([]);
    },
  );

  it("has helpers for JSON, tables and text", async () => {
    const rows = [
      { name: 'A "b"', note: "x,y" },
      { name: "ü", note: "" },
    ];
    expect(
      await evaluate(
        `
        const rows = ${JSON.stringify(rows)};
        await workspace.writeJson("data/rows.json", rows);
        await workspace.writeCsv("data/rows.csv", rows);
        await workspace.appendText("log.txt", "one\\n");
        await workspace.appendText("log.txt", "two\\n");
        return [
          await workspace.readJson("data/rows.json"), await workspace.readCsv("data/rows.csv"), await workspace.readText("log.txt"),
          (await workspace.list("", { recursive: true })).map(({ path }) => path),
          await workspace.exists("log.txt"), await workspace.delete("log.txt"), await workspace.delete("log.txt"), await workspace.exists("log.txt"),
        ];`,
        { workspace: "helpers" },
      ),
    ).toEqual([
      rows,
      rows,
      "one\ntwo\n",
      ["data", "data/rows.csv", "data/rows.json", "log.txt"],
      true,
      true,
      false,
      false,
    ]);
  });

  it("stores memory by key: dates are preserved, updates are atomic, missing keys are reported", async () => {
    expect(
      await evaluate(
        `
        const first = await memory.save("customer:42/address", { city: "Ulm" });
        await memory.update("customer:42/address", (value) => ({ ...value, zip: "89073" }));
        const info = await memory.info("customer:42/address");
        await Promise.all(Array.from({ length: 20 }, () => memory.update("count", (n) => (n ?? 0) + 1)));
        return [
          await memory.load("customer:42/address"), first.createdAt === info.createdAt, await memory.load("count"),
          (await memory.list("customer:")).map(({ key }) => key), await memory.exists("none"), await memory.load("none", "fallback"),
          (await memory.info("none")) === undefined, await memory.delete("count"), await memory.delete("count"),
          await getState("none"),
        ];`,
        { workspace: "memory" },
      ),
    ).toEqual([
      { city: "Ulm", zip: "89073" },
      true,
      20,
      ["customer:42/address"],
      false,
      "fallback",
      true,
      true,
      false,
      { exists: false },
    ]);
  });

  it("survives another process", async () => {
    const folder = await temporaryFolder();
    const config = join(folder, "mcp.json");
    await writeFile(
      config,
      JSON.stringify({ mcpServers: {}, coordinator: { stateFolder: join(folder, "state") } }),
    );
    const run = async (code: string, ...more: readonly string[]) => {
      const words = ["bin/mcp-coordinator.mjs", "run", "-e", code, "--config", config, "--json", ...more];
      const { stdout } = await promisify(execFile)(process.execPath, words);
      return (JSON.parse(stdout) as { value: unknown }).value;
    };

    await run(
      'await workspace.writeText("kept.txt", "here"); await memory.save("k", 1);',
      "--workspace",
      "acme",
    );
    expect(
      await run(
        'return [await workspace.readText("kept.txt"), await memory.load("k")]',
        "--workspace",
        "acme",
      ),
    ).toEqual(["here", 1]);
    expect(await run('return await workspace.exists("kept.txt")')).toBe(false);
  });

  it("enforces a quota on everything a program writes", async () => {
    const small = await openFixture({}, { limits: { workspaceBytes: 10_000, workspaceFiles: 5 } });
    const { value } = await small.run(`
      const codes = [];
      const meet = async (work) => { try { await work(); codes.push("done"); } catch (error) { codes.push(error.code); } };
      await meet(() => workspace.writeText("a.txt", "x".repeat(9_000)));
      await meet(() => workspace.writeText("b.txt", "x".repeat(2_000)));
      await meet(() => workspace.appendText("a.txt", "x".repeat(2_000)));
      await meet(async () => { for (let at = 0; at < 10; at++) await workspace.writeText("f" + at, ""); });
      await workspace.delete("a.txt");
      await meet(() => workspace.writeText("b.txt", "x".repeat(2_000)));
      return codes;`);
    const { error } = await small.run('await workspace.writeText("c.txt", "x".repeat(20_000))');
    await small.close();

    expect(value).toEqual(["done", "EDQUOT", "EDQUOT", "EDQUOT", "done"]);
    expect(error).toMatchObject({ code: "LIMIT_WORKSPACE", line: 1 });
  });

  it("reports an uncaught error with its name and line", async () => {
    expect(await evaluate('import fs from "fs/promises";\n\nawait fs.readFile("none.txt")')).toMatchObject({
      code: "FILE_FAILED",
      message: expect.stringContaining('Cannot read "none.txt": there is no such file or folder (ENOENT)'),
      line: 3,
    });
    expect(await evaluate('await workspace.readText("../x")')).toMatchObject({ code: "PATH_DENIED" });
  });
});

describe("a server named like a part of the workspace", () => {
  it("takes precedence, and the module has the other", async () => {
    const named = await openFixture({ memory: { command: process.execPath, args: [fixturePath("echo")] } });
    const { value } = await named.run(
      'import { memory as own } from "workspace";\nawait own.save("k", 5);\nreturn [(await memory.add({ a: 1, b: 2 })).sum, await own.load("k")];',
    );
    const python = await named.run(
      'from workspace import memory as own\n[memory.add(a=1, b=2)["sum"], own.load("k")]',
      { language: "python" },
    );
    await named.close();

    expect(value).toEqual([3, 5]);
    if (hasPython) expect(python.value).toEqual([3, 5]);
  });

  it("is not described as ours, and the manual says where ours is", async () => {
    const named = await openFixture({ memory: { command: process.execPath, args: [fixturePath("echo")] } });
    onTestFinished(() => named.close());
    const describe = async ({ coordinator }: OpenFixture) =>
      (await describeSurface(coordinator)).tools[0]?.description;
    expect(await describe(fixture)).toContain(" memory.save");
    expect(await describe(named)).not.toContain(" memory.save");
    expect(await describe(named)).toContain("coordinator.memory.save");
    const own = "Ours: `coordinator.memory`";
    for (const language of ["typescript", "python"]) {
      const uri = `library://manual/${language}`;
      const read = async ({ coordinator }: OpenFixture) =>
        JSON.stringify((await coordinator.readResource({ uri })).text);
      expect(await read(fixture)).not.toContain(own);
      expect(await read(named)).toContain(own);
    }
  });
});

describe("the check of a program that uses files", () => {
  it.each([
    ['import { readFileSync } from "fs"; return readFileSync("x");', "readFileSync"],
    ['import fs from "node:fs"; return fs.existsSync("x");', "existsSync"],
    ['import * as fs from "fs/promises"; return fs.opendir("x");', "opendir"],
    ["return fs.readFileSync('x');", "readFileSync"],
  ])("refuses %s", async (code, expected) => {
    const { diagnostics } = await fixture.coordinator.checkCode({ code });
    expect(diagnostics.map(({ message, hint }) => `${message} ${hint}`).join()).toContain(expected);
    expect(diagnostics[0]?.severity).toBe("error");
  });

  it.each([
    'await fs.writeFile("x", "y"); const text: string = await fs.readFile("x", "utf8"); return text.length;',
    "const fs = { readFileSync: () => 1 }; return fs.readFileSync();",
    'import { promises } from "fs"; const text: string = await promises.readFile("x", "utf8"); return text.length;',
    'import fs, { mkdir } from "fs/promises"; await mkdir("a", { recursive: true }); return (await fs.readdir("a", { withFileTypes: true })).map((one) => one.name);',
    'const { workspace: own } = await import("workspace"); return await own.readCsv("a.csv");',
    "const memory = 1; return memory;",
    'await memory.update("k", (n: number | undefined) => (n ?? 0) + 1); return (await getState()).exists;',
  ])("accepts %s", async (code) => {
    expect((await fixture.coordinator.checkCode({ code })).diagnostics).toEqual([]);
  });

  it("accepts the same in Python", async () => {
    const code =
      "import os\nfrom workspace import memory as own\nwith open('workspace/a.txt', 'w') as f: f.write('x')\nown.save('k', 1)\nupdate_memory('k', lambda n: n + 1)\n[os.listdir('workspace'), workspace.read_text('a.txt'), memory.load('k'), get_state()]";
    const { diagnostics } = await fixture.coordinator.checkCode({ code, language: "python" });
    expect(diagnostics).toEqual([]);
  });
});

describe("the library functions for workspaces", () => {
  it("list, inspect and remove them, without creating any", async () => {
    const own = await openFixture();
    const { coordinator } = own;
    await own.run('await workspace.writeText("a/b.txt", "text")', { workspace: "acme" });

    expect((await coordinator.listWorkspaces()).map(({ name }) => name)).toEqual(["acme"]);
    expect(await coordinator.listWorkspaceFiles({ workspace: "nobody" })).toEqual([]);
    await expect(coordinator.readWorkspaceFile({ workspace: "nobody", path: "a" })).rejects.toMatchObject({
      code: "FILE_FAILED",
    });
    expect(
      (await coordinator.listWorkspaceFiles({ workspace: "acme", path: "./workspace/a" })).map(
        ({ path }) => path,
      ),
    ).toEqual(["a/b.txt"]);
    expect(
      Buffer.from(await coordinator.readWorkspaceFile({ workspace: "acme", path: "a/b.txt" })).toString(),
    ).toBe("text");
    expect(await coordinator.removeInactiveWorkspaces({ days: 1 })).toEqual([]);
    expect(await coordinator.removeWorkspace({ workspace: "acme" })).toBe(true);
    expect(await coordinator.removeWorkspace({ workspace: "acme" })).toBe(false);
    expect(await coordinator.listWorkspaces()).toEqual([]);
    await own.close();
  });

  it("remove only workspaces that were unused for the configured number of days", async () => {
    const own = await openFixture();
    for (const workspace of ["old", "new"]) await own.run('await memory.save("k", 1)', { workspace });
    const long = new Date(Date.now() - 40 * 24 * 60 * 60 * 1000);
    await utimes(join(own.folder, "state", "workspaces", "old", "workspace.json"), long, long);
    const later = await openCoordinator({
      config: { mcpServers: {} },
      settings: {
        cacheFolder: join(own.folder, "cache"),
        stateFolder: join(own.folder, "state"),
        retention: { keptWorkspaceDays: 30 },
      },
    });

    await expect.poll(async () => (await later.listWorkspaces()).map(({ name }) => name)).toEqual(["new"]);
    await later.close();
    await own.close();
  });
});
