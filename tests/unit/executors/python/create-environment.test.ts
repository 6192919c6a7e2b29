// The Python environment that one command makes.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import {
  createPythonEnvironment,
  environmentPackages,
} from "../../../../src/executors/python/create-environment.js";
import { findInterpreter } from "../../../../src/executors/python/interpreter.js";

const folder = mkdtempSync(join(tmpdir(), "mcp-environment-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const target = join(folder, "python");
const attempt = await createPythonEnvironment({ folder: target, packages: [] }).catch(
  (error: Error) => error,
);
const reason = attempt instanceof Error ? attempt.message : "";

describe.skipIf(attempt instanceof Error)(
  `createPythonEnvironment()${reason && ` (skipped: ${reason})`}`,
  () => {
    test("makes an environment whose interpreter is found by its folder", async () => {
      expect(existsSync(String(attempt))).toBe(true);
      expect((await findInterpreter({ interpreter: target })).prefixes).toContain(target);
      expect((await findInterpreter({ environmentFolder: target })).prefixes).toContain(target);
    });

    test("takes one that is there as it is", async () => {
      expect(await createPythonEnvironment({ folder: target, packages: [], interpreter: "/nowhere" })).toBe(
        attempt,
      );
    });

    test("says why a library cannot be installed", async () => {
      const missing = createPythonEnvironment({ folder: target, packages: ["/nowhere/library.whl"] });

      await expect(missing).rejects.toMatchObject({
        code: "SANDBOX_UNAVAILABLE",
        message: expect.stringContaining("Cannot make the Python environment"),
      });
    });
  },
);

test("environmentPackages pins every library for every Python", () => {
  for (const text of environmentPackages) expect(text).toMatch(/^[a-z-]+==\d+\.\d+\.\d+; python_version /);
  expect(environmentPackages).toHaveLength(9);
});
