// Configuration files as a cloned repository could contain them. Nothing in them is started.
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfiguration } from "../../../dist/config/index.js";

export const openTarget = async () => {
  const folder = mkdtempSync(join(tmpdir(), "mcp-coordinator-fuzz-"));
  return {
    take: async (text) => {
      writeFileSync(join(folder, ".mcp.json"), text);
      writeFileSync(join(folder, ".env"), text);
      await loadConfiguration({ workingFolder: folder, homeFolder: folder, environment: {} });
    },
  };
};
