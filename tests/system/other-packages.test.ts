// Servers of other runners than npx: a Python tool of uvx, and an image that is pulled before its container starts.
import { spawnSync } from "node:child_process";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished, vi } from "vitest";
import { openCoordinator } from "../../src/index.js";
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

it.skipIf(!hasUv)("a tool of uvx is installed by uv and started by itself", async () => {
  const folder = await temporaryFolder();
  const index = await openPythonIndex("mcp-packed", "1.2.0");
  const entry = { command: "uvx", args: ["--from", "mcp-packed", "mcp-packed", "--word"] };
  const coordinator = await open(folder, entry, { UV_DEFAULT_INDEX: index });
  const described = await coordinator.callTool({ server: "tool", tool: "describe" });
  expect(described).toMatchObject({ words: ["--word"], file: expect.stringContaining("packages") });
  expect((await coordinator.listServers())[0]?.launch).toMatchObject({
    runner: "uvx",
    mode: "direct",
    package: { name: "mcp-packed", version: "1.2.0" },
  });
});

it.skipIf(process.platform === "win32")(
  "an image is pulled once, then its command is started as written",
  async () => {
    const folder = await temporaryFolder();
    const bin = join(folder, "bin");
    await mkdir(bin);
    const server = fileURLToPath(new URL("../fixtures/packages/server.mjs", import.meta.url));
    // Stands in for the program of a container runtime: what is tested is in which order it is called.
    const script = `#!/bin/sh
echo "$1 $2" >> "${folder}/log"
case "$1" in
  image) test -f "${folder}/pulled" && echo sha256:0123456789abcdef ;;
  pull) touch "${folder}/pulled" ;;
  run) exec "${process.execPath}" "${server}" ;;
esac
`;
    await writeFile(join(bin, "docker"), script);
    await chmod(join(bin, "docker"), 0o755);
    const entry = { command: "docker", args: ["run", "-i", "--rm", "example/image"] };
    const environment = { PATH: `${bin}:${process.env.PATH}` };
    const coordinator = await open(folder, entry, environment);
    const [listed] = await coordinator.listServers({ connect: true });
    expect(listed).toMatchObject({ status: "ready", launch: { runner: "docker run", mode: "as written" } });
    await coordinator.close();
    await (await open(folder, entry, environment)).listServers({ connect: true });
    const calls = (await readFile(join(folder, "log"), "utf8")).trim().split("\n");
    expect(calls).toEqual(["image inspect", "pull --quiet", "image inspect", "run -i", "run -i"]);
  },
);
