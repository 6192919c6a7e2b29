// Our Python parser compared with Python's own, on real files.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { childrenOf, type PythonNode } from "../../../../../src/checker/python/syntax/node.js";
import { readStatements } from "../../../../../src/checker/python/syntax/read-statements.js";
import { isGuessed, parseTree } from "../../../../../src/checker/python/syntax/syntax-tree.js";
import { hasPython } from "../../../codegen/check-python.js";

const checkout = fileURLToPath(new URL("../../../../../", import.meta.url));

const listFiles = (folder: string): readonly string[] =>
  readdirSync(join(checkout, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".py"))
    .map((path) => join(checkout, folder, path));

const read = (text: string): readonly PythonNode[] => {
  const top = parseTree(text);
  if (top === undefined || isGuessed(top)) throw new Error("It was not understood");
  return readStatements(text, top);
};

/** How both sides describe a node; undefined if it is not compared. */
const summarize = (node: PythonNode): readonly (string | number)[] | undefined => {
  switch (node.kind) {
    case "name":
    case "attribute":
      return [node.kind, node.name];
    case "call":
      return ["call", node.values.length, ...node.named.map(({ name }) => name ?? "**").sort()];
    case "text":
      return ["text", node.value];
    case "imported":
      return ["import", node.name, node.bound.name];
    case "clause":
      return ["clause", node.conditions.length];
    case "dictionary":
      return ["dictionary", node.entries.length];
    case "function":
      return ["function", node.name.name];
    case "handler":
      return ["handler", node.name?.name ?? ""];
    case "subscript":
    case "await":
    case "return":
      return [node.kind];
    default:
      return undefined;
  }
};

/** Names that Python's parser stores as plain strings. */
const isPlain = (node: PythonNode, child: PythonNode): boolean => {
  if (node.kind === "imported") return true;
  if (
    node.kind === "function" ||
    node.kind === "class" ||
    node.kind === "parameter" ||
    node.kind === "handler"
  )
    return child === node.name;
  return node.kind === "branch" && node.captures.some((name) => name === child);
};

const count = (text: string): Record<string, number> => {
  const found: Record<string, number> = {};
  const walk = (node: PythonNode): void => {
    const words = summarize(node)?.join("\n");
    if (words !== undefined) found[words] = (found[words] ?? 0) + 1;
    for (const child of childrenOf(node)) if (!isPlain(node, child)) walk(child);
  };
  read(text).forEach(walk);
  return found;
};

it.skipIf(!hasPython)(
  "readStatements() agrees with Python's own parser on real files (needs python3)",
  () => {
    const files = [...listFiles("src/executors"), ...listFiles("tests/golden"), ...listFiles("tests/unit")];
    const dump = fileURLToPath(new URL("./dump.py", import.meta.url));
    const { stdout } = spawnSync("python3", [dump, ...files], {
      encoding: "utf8",
      maxBuffer: 64 * 1024 * 1024,
    });
    const wanted = JSON.parse(stdout) as Record<string, Record<string, number>>;

    expect(files.length).toBeGreaterThan(30);
    for (const file of files) expect(count(readFileSync(file, "utf8")), file).toEqual(wanted[file]);
  },
);

it.each([
  ["a bare yield", "def f():\n    yield\n    x = yield"],
  ["numbers that end with a dot", "1. + 2.e5"],
  ["empty patterns", "match x:\n    case str(): pass\n    case []: pass"],
  ["nested f-strings with the same quotes", 'f"{f"{x["a"]}"}"'],
  ["type parameters", "def f[T](x: T) -> T: return x\nclass A[T]: pass\ntype X = int"],
  ["exception groups", "try:\n    pass\nexcept* ValueError as e:\n    pass"],
])("readStatements() reads %s", (_title, text) => {
  expect(() => read(text)).not.toThrow();
});
