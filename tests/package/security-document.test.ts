// Every promise of docs/security.md names a test that exists, and the titles that it quotes are in that test.
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const document = readFileSync(join(root, "docs/security.md"), "utf8");

interface Named {
  /** The path as written; a bare name is in the folder of the path before it. */
  readonly path: string;
  readonly titles: readonly string[];
}

/** A path in backticks, and the titles in brackets behind it. */
const reference = /`((?:tests\/)?[\w*./-]+(?:\.ts|\/))`(?: \(("[^)]*")\))?/g;

const listNamed = (line: string): readonly Named[] => {
  let folder = "tests";
  return [...line.matchAll(reference)].flatMap(([, written = "", quoted = ""]) => {
    const isWhole = written.startsWith("tests/");
    if (!isWhole && !written.endsWith(".ts")) return [];
    const path = isWhole ? written : join(folder, written);
    folder = dirname(path);
    return [{ path, titles: quoted === "" ? [] : quoted.slice(1, -1).split('", "') }];
  });
};

const named = document.split("\n").flatMap(listNamed);

/** The rows of the tables below a heading, without their heads. */
const rowsOf = (heading: string): readonly string[] => {
  const [, section = ""] = document.split(`## ${heading}\n`);
  const [text = ""] = section.split("\n## ");
  return text
    .split("\n")
    .filter((line) => line.startsWith("| ") && line.endsWith(" |") && !line.endsWith("| tests |"));
};

describe("docs/security.md", () => {
  it("names tests that exist", () => {
    expect(named.length).toBeGreaterThan(80);
    const missing = named.filter(({ path }) =>
      path.includes("*") ? globSync(path, { cwd: root }).length === 0 : !existsSync(join(root, path)),
    );
    expect(missing).toEqual([]);
  });

  it("quotes titles that are in the tests that it names", () => {
    const quoting = named.filter(({ titles }) => titles.length > 0);
    expect(quoting.length).toBeGreaterThan(10);
    const missing = quoting.flatMap(({ path, titles }) => {
      const text = readFileSync(join(root, path), "utf8");
      return titles.filter((title) => !text.includes(title)).map((title) => `${path}: ${title}`);
    });
    expect(missing).toEqual([]);
  });

  it.each([
    "The guest's program",
    "What servers say",
    "People's decisions",
    "Clients that reach a port",
    "Configurations that others may have written",
  ])("names a test for every promise of: %s", (heading) => {
    const rows = rowsOf(heading);
    const promises = rows.filter((row) => row.split(" | ").length === 3);
    expect(promises.length).toBeGreaterThan(5);
    expect(
      promises.filter((row) => listNamed(row).length === 0 && !/whose|workspace's|shared/.test(row)),
    ).toEqual([]);
  });
});
