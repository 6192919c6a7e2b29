// Runs one story: a folder for its data, its configuration opened over it, its checks; "skipped" with the reason where something is not to be had.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { openCoordinator } from "mcp-coordinator";

const bin = fileURLToPath(new URL("../../bin/mcp-coordinator.mjs", import.meta.url));

/** Ends a story without a failure: what it needs is not on this machine. */
export class Skip extends Error {}

/** What the command line printed, and how it ended. */
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
  // The story's "node" and "npx" are those that run it.
  process.env.PATH = `${dirname(process.execPath)}${delimiter}${process.env.PATH ?? ""}`;
  process.env.DATA = folder;
  // What this story keeps goes with it. Without these two lines it would be kept where yours is.
  process.env.MCP_COORDINATOR_STATE_FOLDER = join(folder, ".state");
  process.env.MCP_COORDINATOR_CACHE_FOLDER = join(folder, ".cache");
  process.env.MCP_COORDINATOR_CONNECT_TIMEOUT_MS = "120000";
  // Whoever runs a story trusts its servers. At a terminal of yours the command line asks once, and shows what it would start.
  process.env.MCP_COORDINATOR_TRUST = "1";
  process.chdir(here);
};

/**
 * `tell` gets `folder`, which is `${DATA}` in the configuration; `read(file)` of the story; `open()` for a coordinator over the
 * story's mcp.json; `command(...words)` for the command line.
 */
export const example = async (url, tell) => {
  const here = dirname(fileURLToPath(url));
  const folder = mkdtempSync(join(tmpdir(), "mcp-coordinator-example-"));
  const opened = [];
  setUp(here, folder);
  try {
    await tell({
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
    // The servers work in the folder: it can go only after them.
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
