// A coordinator whose only servers ask back, one in each protocol, with its own state folder; closed after the test.
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type OpenedCoordinator, type OpenOptions, openCoordinator } from "../../../src/index.js";
import { fixturePath } from "../../support/fixture-servers.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

/** The configured names of the fixture servers. */
export const askers = { old: "asks-back", modern: "asks-for-input" } as const;

export const toAskerConfig = (folder: string, settings: object = {}) => ({
  mcpServers: Object.fromEntries(
    Object.entries(askers).map(([name, fixture]) => [
      name,
      { command: process.execPath, args: [fixturePath(fixture), "--file", join(folder, "done.txt")] },
    ]),
  ),
  coordinator: { cacheFolder: join(folder, "cache"), stateFolder: join(folder, "state"), ...settings },
});

export const openAsker = async (settings: OpenOptions["settings"] = {}) => {
  const folder = await temporaryFolder();
  appendFileSync(join(folder, "done.txt"), "");
  const openAnother = async (): Promise<OpenedCoordinator> => {
    const coordinator = await openCoordinator({ config: toAskerConfig(folder), settings });
    onTestFinished(() => coordinator.close());
    return coordinator;
  };
  return {
    folder,
    coordinator: await openAnother(),
    openAnother,
    /** What the servers have done. */
    done: (): readonly string[] => readFileSync(join(folder, "done.txt"), "utf8").split("\n").slice(0, -1),
  };
};
