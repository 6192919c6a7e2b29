// How an external type checker is started: its files, environment and time limit.
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findPythonTypeChecker } from "../../../../../src/checker/index.js";
import { findTypeChecker, runTypeChecker } from "../../../../../src/checker/python/types/type-checkers.js";
import { temporaryFolder } from "../../../../support/temporary-folder.js";

/** Writes a script in place of a type checker. */
const writeChecker = async (script: string): Promise<{ folder: string; executable: string }> => {
  const folder = await temporaryFolder();
  const executable = join(folder, "mypy");
  writeFileSync(executable, `#!${process.execPath}\n${script}`);
  chmodSync(executable, 0o755);
  return { folder, executable };
};

const files = new Map([
  ["program.py", "print(1)\n"],
  ["mcp_tools/__init__.py", ""],
]);

describe.skipIf(process.platform === "win32")("runTypeChecker() (needs a Unix system)", () => {
  it("passes the files in a temporary folder without the host's environment, then removes it", async () => {
    process.env.SECRET_OF_THE_HOST = "s3cret";
    const { folder, executable } = await writeChecker(
      `const fs = require("node:fs");
       fs.writeFileSync(__dirname + "/seen.json", JSON.stringify({ cwd: process.cwd(), env: process.env, program: fs.readFileSync("program.py", "utf8"), argv: process.argv.slice(2) }));
       console.log(JSON.stringify({ severity: "error", line: 2, column: 0, message: 'TypedDict "A" has no key "b"' }));
       process.exit(1);`,
    );

    const messages = await runTypeChecker({
      checker: { name: "mypy", executable },
      files,
      timeoutMs: 20_000,
    });
    delete process.env.SECRET_OF_THE_HOST;
    const seen = JSON.parse(readFileSync(join(folder, "seen.json"), "utf8"));

    expect(messages).toEqual([{ kind: "key", line: 2, column: 1, name: "b", type: "A" }]);
    expect(seen.program).toBe("print(1)\n");
    expect(seen.env).toMatchObject({ HOME: seen.cwd });
    expect(JSON.stringify(seen.env)).not.toContain("s3cret");
    expect(seen.argv).toContain("program.py");
    expect(existsSync(seen.cwd)).toBe(false);
  });

  it("stops a type checker that does not answer", async () => {
    const { executable } = await writeChecker("setInterval(() => {}, 1000);");
    expect(
      await runTypeChecker({ checker: { name: "mypy", executable }, files, timeoutMs: 300 }),
    ).toBeUndefined();
  });

  it("returns nothing if there is no output, whatever the exit code", async () => {
    const { executable } = await writeChecker("process.exit(2);");
    expect(
      await runTypeChecker({ checker: { name: "mypy", executable }, files, timeoutMs: 20_000 }),
    ).toBeUndefined();
  });

  it("prefers a type checker beside the interpreter over PATH, and matches its exact name", async () => {
    const { folder, executable } = await writeChecker("");
    const beside = { interpreter: join(folder, "python3"), searchPath: "" };
    expect(findTypeChecker({ wanted: "auto", ...beside })).toEqual({ name: "mypy", executable });
    expect(findTypeChecker({ wanted: "ty", ...beside })).toBeUndefined();
    expect(findTypeChecker({ wanted: "mypy", searchPath: folder })).toEqual({ name: "mypy", executable });
    expect(findTypeChecker({ wanted: "auto", interpreter: "python3", searchPath: "" })).toBeUndefined();
  });

  it("is reported to doctor, unless the settings switch it off", async () => {
    const { folder, executable } = await writeChecker("");
    const settings = { preload: [], deny: [], interpreter: join(folder, "python3") };
    expect(await findPythonTypeChecker({ ...settings, checker: "mypy" })).toBe(executable);
    expect(await findPythonTypeChecker({ ...settings, checker: "off" })).toBeUndefined();
  });
});
