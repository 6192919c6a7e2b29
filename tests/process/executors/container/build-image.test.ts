// Which files of this machine go into an image, tested with real programs.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  buildImage,
  findLibraries,
  listPythonFiles,
  withoutNested,
} from "../../../../src/executors/engines/container/set-up-container.js";
import { findInterpreter } from "../../../../src/executors/engines/python/interpreter.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";

const hasPython = spawnSync("python3", ["--version"]).status === 0;
const hasLinker = spawnSync("ldd", ["--version"]).status === 0;

describe.skipIf(!hasPython)(`listPythonFiles()${hasPython ? "" : " (skipped: needs python3)"}`, () => {
  it("lists the interpreter and its standard library without Python's own tests", async () => {
    const { paths, excluded } = listPythonFiles(await findInterpreter({ interpreter: "python3" }));

    expect(paths.some((path) => existsSync(join(path, "os.py")))).toBe(true);
    expect(paths.every((path) => existsSync(path))).toBe(true);
    expect(excluded.every((path) => existsSync(path))).toBe(true);
  });

  it("lists an environment without the libraries of its base Python", async () => {
    const folder = join(await temporaryFolder(), "venv");
    expect(spawnSync("python3", ["-m", "venv", "--without-pip", folder]).status).toBe(0);
    const below = await findInterpreter({ interpreter: "python3" });

    const { paths, excluded } = listPythonFiles(await findInterpreter({ interpreter: folder }));

    expect(paths).toContain(join(folder, "pyvenv.cfg"));
    const libraries = below.modules.filter((path) => path.endsWith("-packages"));
    for (const path of libraries)
      expect(!paths.some((one) => `${path}/`.startsWith(`${one}/`)) || excluded.includes(path)).toBe(true);
  });
});

describe("findLibraries()", () => {
  it.skipIf(!hasLinker)(
    "finds the C library that this Node links, as a file that exists (needs ldd)",
    async () => {
      const libraries = await findLibraries([process.execPath]);

      expect(libraries.some((path) => /libc\b|ld-musl/.test(path))).toBe(true);
      expect(libraries.every((path) => existsSync(path))).toBe(true);
    },
  );

  it("finds no libraries for a folder without programs", async () => {
    expect(await findLibraries([await temporaryFolder()])).toEqual([]);
  });

  const hasCompiler = spawnSync("cc", ["--version"]).status === 0;
  it.skipIf(!hasLinker || !hasCompiler)(
    "lists a library once if an extension reaches it by a path with .. (needs ldd and cc)",
    async () => {
      const folder = await temporaryFolder();
      for (const name of ["numpy", "numpy.libs", "shared", "numpy/core"]) mkdirSync(join(folder, name));
      const compile = (output: string, ...words: string[]): void => {
        const source = join(folder, "x.c");
        writeFileSync(source, "int answer(void) { return 42; }\n");
        const args = ["-shared", "-fPIC", "-o", join(folder, output), source, "-Wl,--no-as-needed", ...words];
        const { status, stderr } = spawnSync("cc", args, { encoding: "utf8" });
        expect(status, stderr).toBe(0);
      };
      compile("numpy.libs/libblas.so");
      compile("shared/libother.so");
      compile(
        "numpy/core/extension.so",
        ...[`-L${folder}/numpy.libs`, "-lblas", `-L${folder}/shared`, "-lother"],
        "-Wl,-rpath,$ORIGIN/../../numpy.libs:$ORIGIN/../../shared",
      );

      const packed = [join(folder, "numpy"), join(folder, "numpy.libs")];
      const own = (await findLibraries(packed)).filter((path) => path.includes(folder));

      expect(own).toEqual([join(folder, "shared", "libother.so")]);
    },
  );
});

it("withoutNested() removes duplicates and paths inside listed folders", () => {
  expect(withoutNested(["/a/b", "/a/b/c/../d", "/a/bc", "/a/x/../b"])).toEqual(["/a/b", "/a/bc"]);
});

it.skipIf(!hasPython || process.platform !== "linux")(
  "buildImage() refuses a Python below /tmp, which a container hides (needs python3 on Linux)",
  async () => {
    const folder = join(await temporaryFolder(), "venv");
    expect(spawnSync("python3", ["-m", "venv", "--without-pip", folder]).status).toBe(0);
    const python = await findInterpreter({ interpreter: folder });

    await expect(buildImage({ command: "podman", image: "localhost/never", python })).rejects.toMatchObject({
      code: "SANDBOX_UNAVAILABLE",
      message: expect.stringContaining("which has its own /tmp"),
    });
  },
);
