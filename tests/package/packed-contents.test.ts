// What `npm pack` would ship.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
let paths: readonly string[] = [];

beforeAll(() => {
  const npm = process.env.npm_execpath;
  const words = ["pack", "--dry-run", "--json", "--ignore-scripts", "--loglevel=error"];
  const options = { cwd: root, encoding: "utf8", shell: process.platform === "win32" } as const;
  const output = npm?.endsWith(".js")
    ? execFileSync(process.execPath, [npm, ...words], { ...options, shell: false })
    : execFileSync("npm", words, options);
  const [packed] = JSON.parse(output) as readonly { readonly files: readonly { readonly path: string }[] }[];
  paths = packed?.files.map(({ path }) => path) ?? [];
});

test("the package holds the command, the library, its types, the guests and the documents", () => {
  expect(paths).toEqual(
    expect.arrayContaining([
      "package.json",
      "LICENSE",
      "README.md",
      "CHANGELOG.md",
      "docs/errors.md",
      "bin/mcp-coordinator.mjs",
      "dist/index.js",
      "dist/index.d.ts",
      "dist/surfaces/cli/main.js",
      "dist/surfaces/cli/demo/program.mts",
      "dist/executors/isolate/child.mjs",
      "dist/executors/guest-world/guest.mjs",
      "dist/executors/python/guest.py",
    ]),
  );
});

test("the package holds nothing of the sources, tests, scripts and benchmarks", () => {
  const folders = new Set(paths.filter((path) => path.includes("/")).map((path) => path.split("/")[0]));
  expect([...folders].sort()).toEqual(["bin", "dist", "docs"]);
  expect(paths.filter((path) => path.endsWith(".ts") && !path.endsWith(".d.ts"))).toEqual([]);
});

test("every dependency has an exact version", () => {
  const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  const versions = Object.entries<string>({
    ...manifest.dependencies,
    ...manifest.optionalDependencies,
    ...manifest.devDependencies,
  });
  expect(versions.filter(([, version]) => !/^(npm:[\w@/-]+@)?\d+\.\d+\.\d+$/.test(version))).toEqual([]);
});
