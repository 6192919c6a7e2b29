// The tiers of the tests: what tests/unit may use, that every test belongs to a tier, and that files and titles say what they are about.
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

test("no unit test imports what starts processes: such tests belong in tests/process", () => {
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

test("every test and helper says in its first line what it is for", () => {
  const silent = listFiles("tests").filter(
    (file) => /\.m?ts$/.test(file) && !/^\/\/ \S/.test(readFileSync(join(root, file), "utf8")),
  );

  expect(silent).toEqual([]);
});

test("a top-level title names its subject", () => {
  const fragment =
    /^(?:by|of|but|or|always|when|if|that|to|is|are|has|does|can|cannot|reads|removes|leaves|parses|keeps|drops|refuses|accepts|admits|frees|finds|agrees|resolves|starts|stops|says|reports|returns|allows)\b/;
  const titles = listFiles("tests")
    .filter((file) => file.endsWith(".test.ts"))
    .flatMap((file) =>
      [
        ...readFileSync(join(root, file), "utf8").matchAll(
          /^(?:(?:describe|it|test)\b[^"`\n]*|\](?: as const)?\))\(\s*["`]([^"`\n]+)/gm,
        ),
      ].map(([, title = ""]) => `${file}: ${title}`),
    );

  expect(titles.length).toBeGreaterThan(700);
  expect(titles.filter((line) => fragment.test(line.slice(line.indexOf(": ") + 2)))).toEqual([]);
});
