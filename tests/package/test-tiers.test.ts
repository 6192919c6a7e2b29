// The tiers of the tests: what tests/unit may use, and that every test belongs to a tier.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

const listFiles = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)).split(sep).join("/"));

const importsOf = (file: string): readonly string[] =>
  [...readFileSync(join(root, file), "utf8").matchAll(/(?:from|import\() ?"([^"\n]+)"/g)].map(
    ([, path = ""]) => path,
  );

/** The chain of files from a test to one that starts processes, or undefined. Sources are free to: a setup file stops those that do. */
const findSpawning = (file: string, seen = new Set<string>()): readonly string[] | undefined => {
  if (seen.has(file) || !existsSync(join(root, file))) return undefined;
  seen.add(file);
  for (const path of importsOf(file)) {
    if (path === "node:child_process" || path === "cross-spawn") return [file];
    const target = join(dirname(file), path).replace(/\.js$/, ".ts");
    const found =
      path.startsWith(".") && target.startsWith("tests/") ? findSpawning(target, seen) : undefined;
    if (found !== undefined) return [file, ...found];
  }
  return undefined;
};

const unitTests = listFiles("tests/unit").filter((file) => file.endsWith(".test.ts"));

test("no unit test imports what starts processes: such tests belong into tests/process", () => {
  expect(unitTests.length).toBeGreaterThan(100);
  expect(unitTests.flatMap((file) => findSpawning(file)?.join(" → ") ?? [])).toEqual([]);
});

test("no unit test needs a build", () => {
  const needing = unitTests.filter((file) => /\.\.\/dist\//.test(readFileSync(join(root, file), "utf8")));

  expect(needing).toEqual([]);
});

test("every test is in a folder of a tier", () => {
  const folders = listFiles("tests")
    .filter((file) => file.endsWith(".test.ts"))
    .map((file) => file.split("/")[1]);

  expect([...new Set(folders)].sort()).toEqual([
    ...["acceptance", "contract", "examples", "package", "process", "security", "system", "unit"],
  ]);
});
