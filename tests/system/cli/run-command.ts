// Runs the real command in its own process, against servers of tests/fixtures.
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const fixture = (name: string): string =>
  fileURLToPath(new URL(`../../fixtures/servers/${name}`, import.meta.url));

const bin = fileURLToPath(new URL("../../../bin/mcp-coordinator.mjs", import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command in a folder with exactly this environment and no input. */
export const runCommand = async (
  words: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Ended> => {
  const child = spawn(process.execPath, [bin, ...words], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  return readToEnd(child);
};

const readToEnd = async (child: ChildProcessByStdio<null | Writable, Readable, Readable>): Promise<Ended> => {
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, stdout, stderr };
};

export interface CommandLine {
  readonly folder: string;
  /** Starts the command and leaves it running. */
  readonly start: (words: readonly string[]) => ChildProcessByStdio<Writable, Readable, Readable>;
  /** Runs the command to its end. */
  readonly run: (words: readonly string[], input?: string) => Promise<Ended>;
  readonly close: () => void;
}

/** A temporary folder with a configuration: "echo" works, "broken" crashes at its start, "off" is disabled. */
export const openCommandLine = (): CommandLine => {
  const folder = mkdtempSync(join(tmpdir(), "mcp-coordinator-cli-"));
  const entry = (name: string) => ({ command: process.execPath, args: [fixture(name)] });
  const mcpServers = {
    echo: { ...entry("echo.mjs"), description: "Says it again" },
    broken: entry("crashes-at-start.mjs"),
    off: { ...entry("echo.mjs"), disabled: true },
  };
  writeFileSync(join(folder, "mcp.json"), JSON.stringify({ mcpServers }));
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    USERPROFILE: folder,
    // Separates what a command leaves in the temporary folder from what others leave there.
    TMPDIR: folder,
    MCP_COORDINATOR_CACHE_FOLDER: join(folder, "cache"),
  };
  const start = (words: readonly string[]) =>
    spawn(process.execPath, [bin, ...words], { cwd: folder, env, stdio: ["pipe", "pipe", "pipe"] });
  const run = async (words: readonly string[], input = ""): Promise<Ended> => {
    const child = start(words);
    child.stdin.end(input);
    return readToEnd(child);
  };
  return { folder, start, run, close: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }) };
};
