// A coordinator for the targets, over one server that repeats any text.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openCoordinator } from "../../dist/bundle/index.js";

const server = fileURLToPath(new URL("../fixtures/servers/says-anything.mjs", import.meta.url));

export const openHost = async () => {
  const folder = mkdtempSync(join(tmpdir(), "mcp-coordinator-fuzz-"));
  const coordinator = await openCoordinator({
    config: { mcpServers: { shop: { command: process.execPath, args: [server] } } },
    settings: {
      cacheFolder: join(folder, "cache"),
      stateFolder: join(folder, "state"),
      limits: { timeoutMs: 5000 },
      timeouts: { callTimeoutMs: 2000 },
    },
  });
  await coordinator.listTools({ server: "shop" });
  return { folder, coordinator };
};

/** Uses a tool's definition in every way that the host does. */
export const useDefinitions = async (coordinator) => {
  const tools = await coordinator.listTools({ server: "shop" });
  for (const { name } of tools.slice(0, 5)) await coordinator.showTool({ server: "shop", tool: name });
  await coordinator.searchTools({ query: "list things" });
  await coordinator.outlineCatalog({ maxTokens: 1000, frame: "Functions: " });
  for (const language of ["typescript", "python"])
    await coordinator.checkCode({ language, code: "shop.say({ kind: 1 })" });
};
