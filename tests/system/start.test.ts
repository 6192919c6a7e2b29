// The start of `serve`: what it loads before a client has its tools.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.js";

const bin = fileURLToPath(new URL("../../bin/mcp-coordinator.mjs", import.meta.url));
const hook = new URL("../support/print-loaded.mjs", import.meta.url).href;

/** Asks a new process for its tools, and returns the modules that it had loaded when it answered. */
const readLoaded = async (folder: string): Promise<readonly string[]> => {
  const child = spawn(
    process.execPath,
    ["--import", hook, bin, "serve", "--config", join(folder, "mcp.json")],
    {
      env: { PATH: process.env.PATH, HOME: folder, XDG_CACHE_HOME: folder, XDG_STATE_HOME: folder },
    },
  );
  const ended = once(child, "exit");
  const loaded: string[] = [];
  createInterface({ input: child.stderr }).on("line", (line) => {
    if (line.startsWith("loaded ")) loaded.push(line.slice("loaded ".length));
  });
  const clientInfo = { name: "test", version: "1" };
  const requests = [
    { id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo } },
    { method: "notifications/initialized" },
    { id: 2, method: "tools/list", params: {} },
  ];
  for (const request of requests) child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...request })}\n`);
  for await (const line of createInterface({ input: child.stdout }))
    if ((JSON.parse(line) as { readonly id?: unknown }).id === 2) child.stdin.end();
  await ended;
  return loaded;
};

it("serve lists its tools before it loads what only runs need", async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, "mcp.json"), JSON.stringify({ mcpServers: {} }));

  // The first start lists the servers; later ones know them.
  await readLoaded(folder);
  const loaded = await readLoaded(folder);

  expect(loaded.some((url) => url.includes("@modelcontextprotocol/server"))).toBe(true);
  const heavy = /node_modules\/(?:yaml|diff|oxc-|typescript|cross-spawn|isolated-vm)|node:https?$/;
  expect(loaded.filter((url) => heavy.test(url))).toEqual([]);
  const own = loaded.flatMap((url) => /dist\/bundle\/([a-z-]+?)(?:-[\w-]{8})?\.js$/.exec(url)?.[1] ?? []);
  expect(own.sort()).toEqual(["base", "cli", "rolldown-runtime", "start"]);
});
