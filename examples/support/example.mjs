// Runs one example: creates a folder for its data, opens its configuration, removes both. Prints "skipped" with the reason if something is not available.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { openCoordinator } from "mcp-coordinator";

const bin = fileURLToPath(new URL("../../bin/mcp-coordinator.mjs", import.meta.url));

/** Ends an example without a failure because this machine lacks something it needs. */
export class Skip extends Error {}

/** The output and exit code of the command line. */
const runCommand = (words) =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [bin, ...words], { stdio: ["ignore", "pipe", "pipe"] });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text) => {
      stderr += text;
    });
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });

const setUp = (here, folder) => {
  // The example uses the "node" and "npx" that run it.
  process.env.PATH = `${dirname(process.execPath)}${delimiter}${process.env.PATH ?? ""}`;
  process.env.DATA = folder;
  // The example's state is removed with it. Without these two lines it would be stored with yours.
  process.env.MCP_COORDINATOR_STATE_FOLDER = join(folder, ".state");
  process.env.MCP_COORDINATOR_CACHE_FOLDER = join(folder, ".cache");
  process.env.MCP_COORDINATOR_CONNECT_TIMEOUT_MS = "120000";
  // Running an example means trusting its servers. At your terminal the command line asks once and shows what it would start.
  process.env.MCP_COORDINATOR_TRUST = "1";
  process.chdir(here);
};

/**
 * Runs `story` with these helpers:
 * - `here`: the folder of the example
 * - `folder`: the folder of its data, `${DATA}` in the configuration
 * - `read(file)`: the text of a file of the example
 * - `open()`: a coordinator with the example's mcp.json
 * - `command(...words)`: runs the command line
 */
export const example = async (url, story) => {
  const here = dirname(fileURLToPath(url));
  const folder = mkdtempSync(join(tmpdir(), "mcp-coordinator-example-"));
  const opened = [];
  setUp(here, folder);
  try {
    await story({
      here,
      folder,
      read: (file) => readFileSync(join(here, file), "utf8"),
      open: async (options = {}) => {
        const coordinator = await openCoordinator({ config: join(here, "mcp.json"), ...options });
        opened.push(coordinator);
        return coordinator;
      },
      command: (...words) => runCommand(words),
    });
  } catch (error) {
    if (!(error instanceof Skip)) throw error;
    console.log(`skipped: ${error.message}`);
  } finally {
    // The servers use the folder, so it is removed after them.
    for (const coordinator of opened) await coordinator.close();
    process.chdir(here);
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
};

/** The value of a run that has to complete. */
export const completedValue = (result) => {
  if (result.status !== "completed") throw new Error(`${result.error?.message}\n${result.error?.hint}`);
  return result.value;
};
