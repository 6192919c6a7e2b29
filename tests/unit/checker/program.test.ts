// Positions in a compiled program are mapped back to the source.
import { SourceMap } from "node:module";
import { expect, it } from "vitest";
import { findOriginal } from "../../../src/checker/program.js";
import { stripTypes } from "../../../src/checker/typescript/strip-types.js";

const text = `interface A { readonly b: number }
const f = (a: A, ...others: readonly A[]): number => {
  return [a, ...others].map(({ b }) => b as number).reduce((one, other) => one + other, 0);
};

enum Color { Red, Green }
class P { constructor(private readonly x: number, y?: string) { console.log(y, this.x); } }
`;

it("findOriginal() agrees with the runtime's own source map at every position of a program", () => {
  const { code, map } = stripTypes(text, { removedLines: 0, keepsImports: true, hasReturn: true });
  const own = new SourceMap(map);
  for (const [line, written] of code.split("\n").entries())
    for (let column = 0; column <= written.length; column++) {
      const entry = own.findEntry(line, column);
      const wanted =
        "originalLine" in entry
          ? { line: entry.originalLine + 1, column: entry.originalColumn + 1 }
          : undefined;
      expect({ line, column, found: findOriginal(map.mappings, line, column) }).toEqual({
        line,
        column,
        found: wanted,
      });
    }
});

it("findOriginal() finds nothing in malformed mappings", () => {
  expect(findOriginal("", 0, 0)).toBeUndefined();
  expect(findOriginal("not base64: {}", 3, 3)).toBeUndefined();
});
