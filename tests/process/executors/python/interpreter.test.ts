// Tests which Python is used.
import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { defaultLimits } from "../../../../src/contracts/index.js";
import { findInterpreter } from "../../../../src/executors/engines/python/interpreter.js";
import { openPythonExecutor } from "../../../../src/executors/engines/python/python.js";

const describer = fileURLToPath(
  new URL("../../../../src/executors/guests/python/describe.py", import.meta.url),
);
const folder = mkdtempSync(join(tmpdir(), "mcp-interpreter-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const found = await findInterpreter({}).catch((error: Error) => error);
const hasPython = !(found instanceof Error);

/** A script that answers like another kind of interpreter. */
const imitate = (name: string, facts: object): string => {
  const path = join(folder, name);
  const full = {
    implementation: "cpython",
    executable: path,
    executables: [path],
    prefixes: [],
    folders: [],
    libraries: [],
    ...facts,
  };
  writeFileSync(path, `#!/bin/sh\necho '${JSON.stringify(full)}'\n`);
  chmodSync(path, 0o755);
  return path;
};

describe.skipIf(!hasPython)(`findInterpreter()${hasPython ? "" : " (skipped: there is no Python)"}`, () => {
  test("describes the machine's own Python", () => {
    if (found instanceof Error) throw found;
    expect(found.version[0]).toBe(3);
    expect(found.executables).toContain(found.executable);
    expect(found.folders.length).toBeGreaterThan(0);
  });

  test("accepts a Python's folder in place of its executable", async () => {
    if (found instanceof Error) throw found;
    const named = await findInterpreter({ interpreter: found.executable });

    expect(named.version).toEqual(found.version);
  });

  test("finds a Python that is installed after the executor was opened", async () => {
    if (found instanceof Error) throw found;
    const interpreter = join(folder, "later");
    const executor = openPythonExecutor({ limits: defaultLimits, interpreter });
    onTestFinished(() => executor.close());
    expect((await executor.inspect()).reason).toContain("it does not exist");
    symlinkSync(found.executable, interpreter);

    expect((await executor.inspect()).reason ?? "").not.toContain("Cannot find Python");
  });

  test("does not mistake a folder that a removed library left behind for the library", async () => {
    if (found instanceof Error) throw found;
    mkdirSync(join(folder, "leftover"));
    const { stdout } = await promisify(execFile)(found.executable, [describer, "leftover", "json"], {
      env: { PYTHONPATH: folder },
    });

    expect(JSON.parse(stdout)).toMatchObject({ libraries: ["json"] });
  });
});

describe.skipIf(process.platform === "win32")("findInterpreter() (needs a Unix system)", () => {
  test("refuses a missing interpreter by name", async () => {
    await expect(findInterpreter({ interpreter: join(folder, "none") })).rejects.toMatchObject({
      code: "SANDBOX_UNAVAILABLE",
      message: `Cannot find Python: "${join(folder, "none")}": it does not exist`,
    });
  });

  test("refuses a Python that is too old, with both versions", async () => {
    const old = imitate("old", { version: [3, 8, 18] });

    await expect(findInterpreter({ interpreter: old })).rejects.toMatchObject({
      message: `Cannot find Python: "${old}": it is Python 3.8, expected 3.9 or later`,
    });
  });

  test("refuses another implementation", async () => {
    const other = imitate("other", { version: [3, 11, 0], implementation: "pypy" });

    await expect(findInterpreter({ interpreter: other })).rejects.toThrow("it is pypy");
  });
});
