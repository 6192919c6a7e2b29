// The Python environment that one command creates, with each tool that a machine may have for it.
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { findInterpreter } from "../../../../src/executors/engines/python/interpreter.js";
import {
  createPythonEnvironment,
  listPackages,
} from "../../../../src/executors/engines/python/set-up-python.js";
import { copyPython, makeWheel } from "../../../support/copy-python.js";

const folder = mkdtempSync(join(tmpdir(), "mcp-environment-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = process.env.PATH ?? "";
afterEach(() => {
  process.env.PATH = path;
});

/** First on the search path. */
const putFirst = (name: string, script: string): void => {
  const bin = join(folder, `bin-${name}-${Math.random()}`);
  mkdirSync(bin);
  writeFileSync(join(bin, name), script);
  chmodSync(join(bin, name), 0o755);
  process.env.PATH = `${bin}${delimiter}${path}`;
};
const noUv = (): void => putFirst("uv", '#!/bin/sh\necho "error: this uv reaches no index" >&2\nexit 2\n');

const plain = copyPython(join(folder, "plain"));
const bare = copyPython(join(folder, "bare"), { without: ["ensurepip"] });
const wheel = plain === undefined ? "" : makeWheel(folder, "tiny_library");
const hasUv = spawnSync("uv", ["--version"]).status === 0;
const because = plain === undefined ? " (skipped: needs a Python on Linux that can be copied)" : "";
const importTiny = (python: string): string =>
  spawnSync(python, ["-I", "-c", "import tiny_library; print(tiny_library.answer)"], { encoding: "utf8" })
    .stdout;

describe.skipIf(plain === undefined || bare === undefined)(`createPythonEnvironment()${because}`, () => {
  const make = async (name: string, interpreter: string | undefined, packages = [wheel]) => {
    const base = await findInterpreter({ interpreter: interpreter ?? "" });
    const lines: string[] = [];
    const target = join(folder, name);
    const work = createPythonEnvironment({
      folder: target,
      base,
      packages,
      say: (line) => lines.push(line),
    });
    return { work, target, lines };
  };

  test.skipIf(!hasUv)(`uses uv${hasUv ? "" : " (skipped: needs uv)"}`, async () => {
    const { work } = await make("with-uv", plain);

    expect(importTiny(await work)).toBe("42\n");
  });

  test("uses venv and pip if uv fails, ignores files in the working folder, and makes the result readable by everybody", async () => {
    noUv();
    const project = join(folder, "project");
    mkdirSync(project);
    for (const name of ["venv.py", "pip.py", "ensurepip.py"])
      writeFileSync(join(project, name), "raise SystemExit('hijacked')");
    const before = { folder: process.cwd(), mask: process.umask(0o077) };
    process.chdir(project);
    const { work, target, lines } = await make("with-venv", plain);
    const python = await work.finally(() => {
      expect(process.umask(before.mask)).toBe(0o077);
      process.chdir(before.folder);
    });

    expect(importTiny(python)).toBe("42\n");
    expect(lines.join("\n")).toContain("Successfully installed tiny");
    expect(statSync(target).mode & 0o005).toBe(0o005);
    expect((await findInterpreter({ interpreter: target })).prefixes).toContain(target);
    expect((await findInterpreter({ environmentFolder: target })).prefixes).toContain(target);
  });

  test("uses the pip of its base Python if ensurepip is missing", async () => {
    noUv();
    const donor = join(folder, "donor");
    expect(spawnSync(plain ?? "", ["-I", "-m", "venv", donor]).status).toBe(0);
    const places = "import site; print(site.getsitepackages()[0])";
    const [from, to] = [join(donor, "bin", "python3"), bare].map((python) =>
      spawnSync(python ?? "", ["-I", "-c", places], { encoding: "utf8" }).stdout.trim(),
    );
    if (from === undefined || to === undefined) throw new Error("these Pythons have no place for libraries");
    cpSync(from, to, { recursive: true });
    try {
      const { work } = await make("with-target", bare);

      expect(importTiny(await work)).toBe("42\n");
    } finally {
      rmSync(to, { recursive: true });
    }
  });

  test("reports what is missing if there is neither uv nor ensurepip nor pip", async () => {
    noUv();
    const { work, target } = await make("with-nothing", bare);

    await expect(work).rejects.toMatchObject({
      code: "SANDBOX_UNAVAILABLE",
      message: expect.stringMatching(
        /uv: error: this uv reaches no index; venv: .*ensurepip.*; pip --target: .*No module named pip/,
      ),
      hint: expect.stringMatching(/Install uv, or on Debian and Ubuntu "apt install python3-venv"/),
    });
    expect(existsSync(target)).toBe(false);
  });

  test("reports why a library cannot be installed, and leaves nothing behind", async () => {
    noUv();
    const { work, target } = await make("broken", plain, ["/nowhere/library.whl"]);

    await expect(work).rejects.toMatchObject({
      message: expect.stringMatching(/library\.whl is not a valid wheel/),
      hint: expect.stringContaining("--verbose"),
      details: { output: expect.stringContaining("/nowhere/library.whl") },
    });
    expect(existsSync(target)).toBe(false);
  });
});

test("listPackages() pins every library for every Python", () => {
  for (const minor of [9, 10, 11, 13, 15]) {
    const packages = listPackages([3, minor, 0]);
    expect(packages.map((text) => text.split("==")[0])).toEqual(["numpy", "pandas", "scikit-learn"]);
    for (const text of packages) expect(text).toMatch(/==\d+\.\d+\.\d+$/);
  }
});
