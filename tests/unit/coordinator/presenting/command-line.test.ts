// The command that starts this copy again, wherever it is installed.
import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { expect, it } from "vitest";
import {
  findOwnCommand,
  isShareable,
  renderOwnCommand,
  withOwnCommand,
} from "../../../../src/coordinator/presenting/command-line.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";

const install = async (...folders: string[]): Promise<string> => {
  const folder = join(await temporaryFolder(), ...folders, "bin");
  await mkdir(folder, { recursive: true });
  const script = join(folder, "mcp-coordinator.mjs");
  await writeFile(script, "#!/usr/bin/env node\n");
  await chmod(script, 0o755);
  return script;
};

const platform = "linux";

it("a checkout is started by its path, never by a package that is not published", async () => {
  const script = await install("checkout");
  const facts = { script, platform, environment: { PATH: "/usr/bin" } } as const;
  expect(findOwnCommand(facts)).toEqual({ command: process.execPath, args: [script] });
  expect(renderOwnCommand(facts)).toBe(`node ${script}`);
});

it("a file that other machines use gets no path of this machine", async () => {
  const facts = { platform, environment: { PATH: "/usr/bin" } } as const;
  const checkout = await install("checkout");
  const folder = await temporaryFolder();
  const own = { command: "mcp-coordinator", args: [] };
  expect(findOwnCommand({ ...facts, script: checkout, sharedIn: folder })).toEqual(own);
  expect(isShareable(folder, { ...facts, script: checkout })).toBe(false);

  const dependency = await install("project", "node_modules", "mcp-coordinator");
  const project = dependency.slice(0, dependency.indexOf("/node_modules"));
  const local = { ...facts, script: dependency };
  expect(findOwnCommand({ ...local, sharedIn: project })).toEqual({
    command: "npx",
    args: ["--no", "mcp-coordinator"],
  });
  expect(isShareable(project, local)).toBe(true);

  const loaded = await install("_npx", "0a1b2c", "node_modules", "mcp-coordinator");
  const root = loaded.slice(0, loaded.indexOf("node_modules"));
  for (const [spec, isShared] of [
    ["mcp-coordinator@0.1.0", true],
    ["/tmp/mcp-coordinator-0.1.0.tgz", false],
    ["file:../checkout", false],
  ] as const) {
    await writeFile(join(root, "package.json"), JSON.stringify({ _npx: { packages: [spec] } }));
    expect(isShareable(folder, { ...facts, script: loaded }), spec).toBe(isShared);
    const { command, args } = findOwnCommand({ ...facts, script: loaded, sharedIn: folder });
    expect([command, ...args].join(" "), spec).toBe(
      isShared ? "npx -y mcp-coordinator@0.1.0" : "mcp-coordinator",
    );
  }
});

it("a package in a project's node_modules is started by its path, not through npx", async () => {
  const script = await install("project", "node_modules", "mcp-coordinator");
  expect(renderOwnCommand({ script, platform, environment: {} })).toBe(`node ${script}`);
});

it("a command on the search path is printed by its name, if it is this copy", async () => {
  const script = await install("lib", "node_modules", "mcp-coordinator");
  const other = await install("other");
  const bin = await temporaryFolder();
  await symlink(script, join(bin, "mcp-coordinator"));
  const environment = { PATH: ["/usr/bin", bin].join(delimiter) };
  expect(renderOwnCommand({ script, platform, environment })).toBe("mcp-coordinator");
  expect(findOwnCommand({ script, platform, environment, sharedIn: "/" })).toEqual({
    command: "mcp-coordinator",
    args: [],
  });
  expect(renderOwnCommand({ script: other, platform, environment })).toBe(`node ${other}`);
});

it.each([
  ["mcp-coordinator", "npx -y mcp-coordinator"],
  ["mcp-coordinator@0.1.0", "npx -y mcp-coordinator@0.1.0"],
  ["/tmp/mcp-coordinator-0.1.0.tgz", "npx -y --package /tmp/mcp-coordinator-0.1.0.tgz mcp-coordinator"],
])("a copy that npx installed as %s is started as %s", async (spec, line) => {
  const script = await install("_npx", "0a1b2c", "node_modules", "mcp-coordinator");
  const root = script.slice(0, script.indexOf("node_modules"));
  await writeFile(join(root, "package.json"), JSON.stringify({ _npx: { packages: [spec] } }));
  expect(renderOwnCommand({ script, platform, environment: {} })).toBe(line);
});

it("the copy that runs these tests is started by its own file", () => {
  expect(renderOwnCommand({ environment: {} })).toMatch(/^node .*bin[\\/]mcp-coordinator\.mjs$/);
});

it("commands in a message are rewritten to work here, and nothing else changes", () => {
  const own = renderOwnCommand();
  expect(withOwnCommand('Run "mcp-coordinator setup python", then `mcp-coordinator doctor`.')).toBe(
    `Run "${own} setup python", then \`${own} doctor\`.`,
  );
  for (const text of [
    "mcp-coordinator is not running",
    'in "mcp-coordinator.json"',
    '"/x/mcp-coordinator run"',
  ])
    expect(withOwnCommand(text)).toBe(text);
});
