// Every name that the package exports is explained where it is declared, so that editors and docs can show it.
import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync } from "oxc-parser";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

const readModule = (file: string) => {
  const text = readFileSync(file, "utf8");
  const { comments, module } = parseSync(file, text);
  return { text, comments, exports: module.staticExports };
};

const modules = new Map<string, ReturnType<typeof readModule>>();

const parse = (file: string) => {
  const parsed = modules.get(file) ?? readModule(file);
  modules.set(file, parsed);
  return parsed;
};

const toSource = (file: string, specifier: string): string =>
  join(dirname(file), specifier.replace(/\.js$/, ".ts"));

/** Follows `export ... from` to the file that declares the name; undefined if it is documented there. */
const findUndocumented = (file: string, name: string): string | undefined => {
  const { text, comments, exports } = parse(file);
  for (const { start, entries } of exports)
    for (const entry of entries) {
      if (entry.exportName.name !== name) continue;
      if (entry.moduleRequest)
        return findUndocumented(toSource(file, entry.moduleRequest.value), entry.importName.name ?? name);
      const documented = comments.some(
        (comment) =>
          comment.value.startsWith("*") &&
          comment.end <= start &&
          text.slice(comment.end, start).trim() === "",
      );
      return documented ? undefined : `${name} (${relative(root, file)})`;
    }
  return `${name}: not exported by ${relative(root, file)}`;
};

test("every exported name has a TSDoc comment at its declaration", () => {
  const index = join(root, "src", "index.ts");
  const names = parse(index).exports.flatMap(({ entries }) =>
    entries.map(({ exportName }) => exportName.name ?? ""),
  );
  expect(names.length).toBeGreaterThan(200);
  expect(names.map((name) => findUndocumented(index, name)).filter((problem) => problem)).toEqual([]);
});
