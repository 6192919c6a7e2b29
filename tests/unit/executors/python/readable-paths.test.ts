// Which files of the machine a Python guest may read.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { Interpreter } from "../../../../src/executors/engines/python/interpreter.js";
import { readablePaths } from "../../../../src/executors/engines/python/python.js";
import { foldersAbove } from "../../../../src/executors/walls/outer-walls.js";

const folder = mkdtempSync(join(tmpdir(), "mcp-readable-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
mkdirSync(join(folder, "lib"));

const interpreter = (facts: Partial<Interpreter>): Interpreter => ({
  version: [3, 11, 0],
  implementation: "cpython",
  executable: "/usr/bin/python3",
  executables: [],
  prefixes: [],
  modules: [],
  folders: [],
  libraries: [],
  ...facts,
});

test("readablePaths() includes a Python's own folder as a whole, and nothing below it twice", () => {
  const paths = readablePaths(interpreter({ prefixes: [folder], folders: [join(folder, "lib")] }));

  expect(paths).toContain(folder);
  expect(paths).not.toContain(join(folder, "lib"));
});

test("readablePaths() never includes a whole shared prefix", () => {
  const paths = readablePaths(interpreter({ prefixes: ["/usr", "/usr/local", "/"], folders: ["/usr", "/"] }));

  expect(paths.filter((path) => ["/", "/usr", "/usr/local"].includes(path))).toEqual([]);
});

test("readablePaths() leaves out paths that do not exist", () => {
  expect(readablePaths(interpreter({ folders: [join(folder, "none")] }))).not.toContain(join(folder, "none"));
});

test("foldersAbove() lists every folder on the way, outermost first", () => {
  expect(foldersAbove("/a/b/c")).toEqual(["/a", "/a/b"]);
  expect(foldersAbove("/a")).toEqual([]);
});
