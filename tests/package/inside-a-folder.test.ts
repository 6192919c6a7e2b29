// Whether a path is inside a folder is decided in one way: `startsWith("..")` takes a folder called "..x" for one outside.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const source = fileURLToPath(new URL("../../src", import.meta.url));

it("no module compares the beginning of a relative path with two dots alone", () => {
  const found = readdirSync(source, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(?:ts|mts|mjs)$/.test(name))
    .filter((name) => /startsWith\((["'`])\.\.\1\)/.test(readFileSync(join(source, name), "utf8")));

  expect(found).toEqual([]);
});
