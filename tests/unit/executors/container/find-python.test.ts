// What an interpreter needs to run elsewhere, asked of a real one.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findLibraries } from "../../../../src/executors/container/find-libraries.js";
import { findPython } from "../../../../src/executors/container/find-python.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";

const hasPython = spawnSync("python3", ["--version"]).status === 0;
const hasLinker = spawnSync("ldd", ["--version"]).status === 0;

describe("findPython()", () => {
  it("finds nothing where there is no such interpreter", async () => {
    expect(await findPython("/nowhere/python3")).toBeUndefined();
  });

  it.skipIf(!hasPython)("takes the interpreter and its standard library (needs python3)", async () => {
    const python = await findPython("python3");

    expect(python?.version).toMatch(/^3\./);
    expect(python?.files.some((path) => existsSync(join(path, "os.py")))).toBe(true);
    expect(python?.files.every((path) => existsSync(path))).toBe(true);
  });

  it.skipIf(!hasPython)("takes an environment's own folder with it (needs python3)", async () => {
    const folder = join(await temporaryFolder(), "venv");
    expect(spawnSync("python3", ["-m", "venv", "--without-pip", folder]).status).toBe(0);

    const python = await findPython(join(folder, "bin", "python3"));

    expect(python?.command).toBe(join(folder, "bin", "python3"));
    expect(python?.files).toContain(join(folder, "pyvenv.cfg"));
  });
});

describe.skipIf(!hasLinker)("findLibraries() (needs ldd)", () => {
  it("finds the C library that this Node links, as a file that exists", async () => {
    const libraries = await findLibraries([process.execPath]);

    expect(libraries.some((path) => /libc\b|ld-musl/.test(path))).toBe(true);
    expect(libraries.every((path) => existsSync(path))).toBe(true);
  });

  it("finds none for a folder without programs", async () => {
    expect(await findLibraries([await temporaryFolder()])).toEqual([]);
  });
});
