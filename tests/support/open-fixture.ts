// A coordinator with fixture servers and its own cache folder.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type OpenedCoordinator as Coordinator,
  type OpenOptions,
  openCoordinator,
  type RunResult,
} from "../../src/index.js";
import { fixturePath } from "./fixture-servers.js";

export interface OpenFixture {
  readonly coordinator: Coordinator;
  readonly folder: string;
  readonly run: (code: string, more?: Partial<Parameters<Coordinator["runCode"]>[0]>) => Promise<RunResult>;
  /** Lines the echo server logged: "start", "call NAME", "cancelled NAME". */
  readonly log: () => string[];
  /** Another coordinator with the `echo` server and the same cache, like that of a later process. */
  readonly reopen: () => Promise<Coordinator>;
  readonly close: () => Promise<void>;
}

/** Opens a coordinator with the `echo` server and the given ones. */
export const openFixture = async (
  servers: Record<string, object> = {},
  settings: NonNullable<OpenOptions["settings"]> = {},
): Promise<OpenFixture> => {
  const folder = mkdtempSync(join(tmpdir(), "coordinator-test-"));
  const logFile = join(folder, "echo.log");
  const echo = { command: process.execPath, args: [fixturePath("echo"), "--log", logFile] };
  const coordinator = await openCoordinator({
    config: { mcpServers: { echo, ...servers } },
    settings: { cacheFolder: join(folder, "cache"), stateFolder: join(folder, "state"), ...settings },
  });
  return {
    coordinator,
    folder,
    run: (code, more = {}) => coordinator.runCode({ code, ...more }),
    log: () => {
      try {
        return readFileSync(logFile, "utf8").trim().split("\n");
      } catch {
        return [];
      }
    },
    reopen: () =>
      openCoordinator({
        config: { mcpServers: { echo } },
        settings: { cacheFolder: join(folder, "cache") },
      }),
    close: async () => {
      await coordinator.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
