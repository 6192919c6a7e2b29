// What `npm pack` would ship.
import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, posix } from "node:path";
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

test("the package contains the command, the library, its types, the guests and the documents", () => {
  expect(paths).toEqual(
    expect.arrayContaining([
      "package.json",
      "LICENSE",
      "README.md",
      "CHANGELOG.md",
      "docs/errors.md",
      "docs/getting-started.md",
      "docs/decisions/README.md",
      "bin/mcp-coordinator.mjs",
      "bin/end-with-launcher.mjs",
      "dist/bundle/index.js",
      "dist/bundle/cli.js",
      "dist/index.d.ts",
      "dist/surfaces/cli/demo/program.mts",
      "dist/executors/guests/typescript/isolate-child.mjs",
      "dist/executors/guests/typescript/world/guest.mjs",
      "dist/executors/guests/python/zygote.py",
      "dist/output/tokens/o200k.table",
      "dist/search/word-vectors.table",
      "dist/search/word-vectors.license.txt",
      "dist/surfaces/cli/completion/mcp-coordinator.bash",
      "schema/mcp-coordinator.schema.json",
    ]),
  );
});

test("no link of a shipped document leads to a file that is not shipped", () => {
  const folders = new Set(paths.flatMap((path) => toFolders(path)));
  const dead = paths
    .filter((path) => path.endsWith(".md") && !path.startsWith("examples/"))
    .flatMap((path) => {
      const text = readFileSync(join(root, path), "utf8").replace(/^(```+)[\s\S]*?^\1/gm, "");
      return [...text.matchAll(/\]\(([^)\s#:]+)(?:#[^)\s]*)?\)/g)].flatMap(([, target = ""]) => {
        const file = posix.join(posix.dirname(path), target).replace(/\/$/, "");
        return paths.includes(file) || folders.has(file) ? [] : [`${path}: ${target}`];
      });
    });
  expect(dead).toEqual([]);
});

const toFolders = (path: string): readonly string[] => {
  const folder = posix.dirname(path);
  return folder === "." ? [] : [folder, ...toFolders(folder)];
};

test("the package contains no sources, tests, scripts or benchmarks", () => {
  const folders = new Set(paths.filter((path) => path.includes("/")).map((path) => path.split("/")[0]));
  expect([...folders].sort()).toEqual(["benchmarks", "bin", "dist", "docs", "examples", "schema"]);
  const shipped = paths.filter((path) => !path.startsWith("examples/"));
  expect(shipped.filter((path) => path.endsWith(".ts") && !path.endsWith(".d.ts"))).toEqual([]);
  expect(shipped.filter((path) => path.startsWith("benchmarks/") && !path.endsWith("README.md"))).toEqual([]);
  expect(paths.filter((path) => path.endsWith(".js") && !path.startsWith("dist/bundle/"))).toEqual([]);
});

test("the packed files are enough to run a program in every sandbox that needs no setup", () => {
  const folder = mkdtempSync(join(tmpdir(), "mcp-coordinator-packed-"));
  try {
    for (const path of paths) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      copyFileSync(join(root, path), join(folder, path));
    }
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
    writeFileSync(join(folder, "mcp.json"), '{ "mcpServers": {} }');
    const words = [join(folder, "bin", "mcp-coordinator.mjs"), "run", "--json", "--config"];
    for (const executor of ["isolate", "wasm"]) {
      const config = join(folder, `${executor}.json`);
      writeFileSync(config, JSON.stringify({ mcpServers: {}, coordinator: { executor } }));
      const output = execFileSync(process.execPath, [...words, config, "-e", "return 6 * 7"], {
        encoding: "utf8",
        env: { ...process.env, MCP_COORDINATOR_CACHE_FOLDER: join(folder, "cache") },
      });
      expect(JSON.parse(output)).toMatchObject({ status: "completed", value: 42 });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
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
