// `node benchmarks/python-syntax/run.mjs FOLDER`: compares our parse of real Python files with Python's own, and counts how many the check would refuse.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

const checkout = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    dist: { type: "string", default: join(checkout, "dist") },
    python: { type: "string", default: "python3" },
    every: { type: "string", default: "1" },
    show: { type: "boolean", default: false },
  },
});
const load = (path) => import(pathToFileURL(join(values.dist, "checker", "python", path)).href);
const [{ childrenOf }, { readStatements }, { isGuessed, parseTree }, { checkPython }] = await Promise.all(
  ["syntax/node.js", "syntax/read-statements.js", "syntax/syntax-tree.js", "check-python.js"].map(load),
);

const largest = 200_000;
const files = readdirSync(positionals[0], { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".py"))
  .sort()
  .map((path) => join(positionals[0], path))
  .filter((path, index) => index % Number(values.every) === 0 && statSync(path).size <= largest);

/** The same names as in dump.py. */
const describe = (node) => {
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
    default:
      return ["subscript", "await", "return"].includes(node.kind) ? [node.kind] : undefined;
  }
};

const isPlain = (node, child) =>
  node.kind === "imported" ||
  (["function", "class", "parameter", "handler"].includes(node.kind) && child === node.name) ||
  (node.kind === "branch" && node.captures.includes(child));

const count = (text) => {
  const found = {};
  const walk = (node) => {
    const words = describe(node)?.join("\n");
    if (words !== undefined) found[words] = (found[words] ?? 0) + 1;
    for (const child of childrenOf(node)) if (!isPlain(node, child)) walk(child);
  };
  for (const statement of readStatements(text, parseTree(text))) walk(statement);
  return found;
};

const askPython = (paths) => {
  const dump = join(checkout, "tests", "unit", "checker", "python", "syntax", "dump.py");
  const { stdout } = spawnSync(values.python, [dump, ...paths], { encoding: "utf8", maxBuffer: 2 ** 30 });
  return stdout === "" ? undefined : JSON.parse(stdout);
};

const request = {
  language: "python",
  isSession: false,
  servers: [],
  identifiers: new Map(),
  nearestNames: () => [],
  renderSignature: () => "",
};

const totals = { files: 0, same: 0, other: 0, guessed: 0, refused: 0 };
for (const file of files) {
  // Files that Python's own parser rejects are left out.
  const wanted = askPython([file])?.[file];
  if (wanted === undefined) continue;
  const text = readFileSync(file, "utf8")
    .replace(/^\ufeff/, "")
    .replaceAll("\r\n", "\n");
  totals.files++;
  const top = parseTree(text);
  if (top === undefined || isGuessed(top)) {
    totals.guessed++;
    continue;
  }
  const found = count(text);
  const words = [...new Set([...Object.keys(wanted), ...Object.keys(found)])];
  const others = words.filter((word) => wanted[word] !== found[word]);
  totals[others.length === 0 ? "same" : "other"]++;
  // Modules of a package import each other; a program has no package.
  const errors = checkPython({ ...request, text }).diagnostics.filter(
    ({ severity, message }) => severity === "error" && !message.includes("no package around it"),
  );
  if (errors.length > 0) totals.refused++;
  if (values.show)
    for (const line of [
      ...others.map((word) => JSON.stringify(word)),
      ...errors.map(({ message }) => message),
    ])
      console.log(`${file}: ${line}`);
}
console.log(totals);
