// Prints the size of `src/`, and how many files the walk through one tool call in docs/architecture.md names.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
/** @param {string} name */
const isSource = (name) => /\.(?:ts|mts|mjs|py)$/.test(name);
const maxSmallLines = 25;

/** The files of the table in docs/architecture.md, in order, each with its function and the file that calls it. */
export const readCallWalk = (folder = root) => {
  const text = readFileSync(join(folder, "docs", "architecture.md"), "utf8");
  const table = text.slice(text.indexOf("## One tool call, step by step"));
  return [...table.matchAll(/^\| \d+ \| `([^`]+)` \| `([^`]+)` \| `([^`]+)` \|/gm)].map(
    ([, file = "", name = "", calledBy = ""]) => ({ file, name, calledBy }),
  );
};

export const readCodeStats = (folder = root) => {
  const files = readdirSync(join(folder, "src"), { recursive: true, encoding: "utf8" })
    .filter(isSource)
    .map((name) => ({
      name: join("src", name),
      lines: readFileSync(join(folder, "src", name), "utf8").split("\n").length - 1,
    }))
    .sort((one, other) => one.lines - other.lines);
  const largest = files.at(-1);
  return {
    files: files.length,
    lines: files.reduce((sum, { lines }) => sum + lines, 0),
    median: files[files.length >> 1]?.lines,
    largest: `${largest?.lines} (${largest?.name})`,
    [`files of ${maxSmallLines} lines or fewer`]: files.filter(({ lines }) => lines <= maxSmallLines).length,
    "files in the walk through one tool call": new Set(readCallWalk(folder).map(({ file }) => file)).size,
  };
};

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const [name, value] of Object.entries(readCodeStats())) console.log(`${name}: ${value}`);
