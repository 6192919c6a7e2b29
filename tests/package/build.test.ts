// scripts/build.mjs on its own tiny checkout.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";

type Build = (folder: string, node: string, say: (line: string) => void) => Promise<void>;

const script = new URL("../../scripts/build.mjs", import.meta.url).href;
const { build } = (await import(script)) as { readonly build: Build };
const modules = fileURLToPath(new URL("../../node_modules", import.meta.url));
let folder = "";
let said: string[] = [];

const run = (): Promise<void> => {
  said = [];
  return build(folder, process.execPath, (line) => said.push(line));
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "mcp-coordinator-build-"));
  mkdirSync(join(folder, "src", "room"), { recursive: true });
  symlinkSync(modules, join(folder, "node_modules"), "junction");
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  const options = { target: "ES2023", module: "NodeNext", types: [], declaration: true, strict: true };
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions: options, include: ["src/**/*.ts"] }),
  );
  const output = { rootDir: "src", outDir: "dist" };
  writeFileSync(
    join(folder, "tsconfig.build.json"),
    JSON.stringify({ extends: "./tsconfig.json", compilerOptions: output, include: ["src/**/*.ts"] }),
  );
  writeFileSync(join(folder, "src", "index.ts"), "export const one: number = 1;\n");
  writeFileSync(join(folder, "src", "room", "old.ts"), "export const old = true;\n");
  writeFileSync(join(folder, "src", "room", "guest.mjs"), "globalThis.guest = true;\n");
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("build() compiles TypeScript and copies what runs as it is", async () => {
  await run();
  expect(readFileSync(join(folder, "dist", "index.js"), "utf8")).toContain("one = 1");
  expect(existsSync(join(folder, "dist", "index.d.ts"))).toBe(true);
  expect(readFileSync(join(folder, "dist", "room", "guest.mjs"), "utf8")).toBe("globalThis.guest = true;\n");
});

test("build() does nothing when nothing has changed", async () => {
  await run();
  const before = statSync(join(folder, "dist", "index.js")).mtimeMs;
  await run();
  expect(said).toEqual([]);
  expect(statSync(join(folder, "dist", "index.js")).mtimeMs).toBe(before);
});

test("build() removes files whose source is gone", async () => {
  await run();
  rmSync(join(folder, "src", "room", "old.ts"));
  await run();
  expect(existsSync(join(folder, "dist", "room", "old.js"))).toBe(false);
  expect(existsSync(join(folder, "dist", "room", "guest.mjs"))).toBe(true);
});

test("build() fails with the compiler's message and tries again the next time", async () => {
  writeFileSync(join(folder, "src", "index.ts"), "export const one: number = 'x';\n");
  await expect(run()).rejects.toThrow(/src\/index\.ts.*not assignable/);
  await expect(run()).rejects.toThrow(/not assignable/);
});
