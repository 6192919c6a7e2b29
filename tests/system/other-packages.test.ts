// Servers of other runners than npx: a Python tool of uvx, and an image that is pulled before its container starts.
import { spawnSync } from "node:child_process";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished, vi } from "vitest";
import { openCoordinator } from "../../src/index.js";
import { describeServer, openMachine } from "../support/package-machine.js";
import { openPythonIndex } from "../support/python-index.js";
import { temporaryFolder } from "../support/temporary-folder.js";

vi.setConfig({ testTimeout: 60_000 });

const hasUv = spawnSync("uv", ["--version"]).status === 0;

const open = async (folder: string, entry: { command: string; args: string[] }, environment: object) => {
  const coordinator = await openCoordinator({
    config: { mcpServers: { tool: entry } },
    settings: { cacheFolder: join(folder, "cache"), stateFolder: join(folder, "state") },
    environment: { PATH: process.env.PATH, HOME: folder, ...environment },
  });
  onTestFinished(() => coordinator.close());
  return coordinator;
};

it.for([
  ["uvx", ["uvx", "--from", "mcp-packed", "mcp-packed", "--word"]],
  ["pipx run", ["pipx", "run", "mcp-packed", "--word"]],
] as const)("a tool of %s is installed by uv and started directly", async ([runner, words], { skip }) => {
  skip(!hasUv, "uv is not installed");
  // pipx obeys other settings than uv: where it is installed, the variable for the index is a reason to start it as written.
  skip(runner === "pipx run" && spawnSync("pipx", ["--version"]).status === 0, "pipx is installed");
  const folder = await temporaryFolder();
  const index = await openPythonIndex("mcp-packed", "1.2.0");
  const [command, ...args] = words;
  const entry = { command, args };
  const coordinator = await open(folder, entry, { UV_DEFAULT_INDEX: index });
  const described = await coordinator.callTool({ server: "tool", tool: "describe" });
  expect(described).toMatchObject({ words: ["--word"], file: expect.stringContaining("packages") });
  expect((await coordinator.listServers())[0]?.launch).toMatchObject({
    runner,
    mode: "direct",
    package: { name: "mcp-packed", version: "1.2.0" },
  });
});

/** A program of that name in its own folder, for the search path. */
const writeProgram = async (folder: string, name: string, script: string): Promise<string> => {
  const bin = join(folder, "bin");
  await mkdir(bin, { recursive: true });
  await writeFile(join(bin, name), `#!/bin/sh\n${script}\n`);
  await chmod(join(bin, name), 0o755);
  return `${bin}:${process.env.PATH}`;
};

it.for([
  ["pnpm dlx", ["pnpm", "--silent", "dlx"]],
  ["yarn dlx", ["yarn", "dlx", "-q"]],
  ["bunx", ["bunx"]],
] as const)(
  "a package of %s is started with Node if that runner is not installed",
  async ([runner, words], { skip }) => {
    skip(spawnSync(words[0], ["--version"]).status === 0, `${words[0]} is installed`);
    const { registry, open: openHere } = await openMachine();
    registry.publish("mcp-other");
    const [command, ...args] = words;
    const other = { command, args: [...args, "mcp-other", "--word"] };
    const coordinator = await openHere({ other });
    expect((await describeServer(coordinator, "other")).words).toEqual(["--word"]);
    const [server] = await coordinator.listServers();
    expect(server?.launch).toMatchObject({ runner, mode: "direct", node: { version: expect.any(String) } });
  },
);

it("a package with install scripts is left to a runner that has its own rules for them", async () => {
  const { folder, registry, open: openHere } = await openMachine();
  registry.publish("mcp-scripted", { fields: { scripts: { install: "node install.mjs" } } });
  const server = fileURLToPath(new URL("../fixtures/packages/server.mjs", import.meta.url));
  const PATH = await writeProgram(folder, "pnpm", `exec "${process.execPath}" "${server}" "$@"`);
  const entry = { command: "pnpm", args: ["dlx", "mcp-scripted"] };
  const coordinator = await openHere({ scripted: entry }, { environment: { PATH } });
  expect((await describeServer(coordinator, "scripted")).words).toEqual(["dlx", "mcp-scripted"]);
  const [listed] = await coordinator.listServers();
  expect(listed?.launch).toMatchObject({ mode: "as written", reason: "its packages have install scripts" });
});

it.skipIf(process.platform === "win32")(
  "an image is pulled once, then its command is started as written",
  async () => {
    const folder = await temporaryFolder();
    const server = fileURLToPath(new URL("../fixtures/packages/server.mjs", import.meta.url));
    // Stands in for the program of a container runtime: what is tested is in which order it is called.
    const script = `echo "$1 $2" >> "${folder}/log"
case "$1" in
  image) test -f "${folder}/pulled" && echo sha256:0123456789abcdef ;;
  pull) touch "${folder}/pulled" ;;
  run) exec "${process.execPath}" "${server}" ;;
esac
`;
    const PATH = await writeProgram(folder, "docker", script);
    const entry = { command: "docker", args: ["run", "-i", "--rm", "example/image"] };
    const environment = { PATH };
    const coordinator = await open(folder, entry, environment);
    const [listed] = await coordinator.listServers({ connect: true });
    expect(listed).toMatchObject({ status: "ready", launch: { runner: "docker run", mode: "as written" } });
    await coordinator.close();
    await (await open(folder, entry, environment)).listServers({ connect: true });
    const calls = (await readFile(join(folder, "log"), "utf8")).trim().split("\n");
    expect(calls).toEqual(["image inspect", "pull --quiet", "image inspect", "run -i", "run -i"]);
  },
);
