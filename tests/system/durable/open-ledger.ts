// A coordinator with the server that records every call, and its own state folder; closed after the test.
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import {
  type OpenedCoordinator as Coordinator,
  type OpenOptions,
  openCoordinator,
} from "../../../src/index.js";
import { fixturePath } from "../../support/fixture-servers.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

export interface Ledger {
  readonly folder: string;
  readonly coordinator: Coordinator;
  /** Calls that the server has seen, "TOOL VALUE". */
  readonly seen: () => readonly string[];
  /** Another coordinator over the same state. */
  readonly openAnother: (settings?: OpenOptions["settings"]) => Promise<Coordinator>;
}

export const readSeen = (folder: string): readonly string[] =>
  readFileSync(join(folder, "seen.txt"), "utf8").split("\n").slice(0, -1);

/** Answers every call of `wait` for "release". */
export const releaseWaiting = (folder: string): void => writeFileSync(join(folder, "seen.txt.release"), "");

export const toLedgerConfig = (folder: string, args: readonly string[] = []) => ({
  mcpServers: {
    ledger: {
      command: process.execPath,
      args: [fixturePath("ledger"), "--file", join(folder, "seen.txt"), ...args],
    },
  },
  coordinator: { cacheFolder: join(folder, "cache"), stateFolder: join(folder, "state") },
});

export const openLedger = async (settings: OpenOptions["settings"] = {}): Promise<Ledger> => {
  const folder = await temporaryFolder();
  appendFileSync(join(folder, "seen.txt"), "");
  const openAnother = async (more: OpenOptions["settings"] = {}): Promise<Coordinator> => {
    const config = toLedgerConfig(folder);
    const coordinator = await openCoordinator({ config, settings: { ...settings, ...more } });
    onTestFinished(() => coordinator.close());
    return coordinator;
  };
  return { folder, coordinator: await openAnother(), seen: () => readSeen(folder), openAnother };
};
