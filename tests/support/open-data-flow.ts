// A coordinator with a policy about data, over two servers with personal data and one on the web that records every call.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type OpenedCoordinator, openCoordinator } from "../../src/index.js";
import { fixturePath } from "./fixture-servers.js";
import { temporaryFolder } from "./temporary-folder.js";

export interface DataFlow {
  readonly coordinator: OpenedCoordinator;
  readonly folder: string;
  /** What a server has recorded. */
  readonly readCalls: (server: string) => string;
}

export interface DataFlowOptions {
  readonly policy: object;
  readonly settings?: object;
  /** The folder of an earlier coordinator, whose state is used again. @default a new one */
  readonly folder?: string;
  /** Registers the end. @default onTestFinished */
  readonly onEnd?: (close: () => Promise<void>) => void;
}

export const openDataFlow = async (options: DataFlowOptions): Promise<DataFlow> => {
  const { policy, settings = {}, onEnd = onTestFinished } = options;
  const folder = options.folder ?? (await temporaryFolder());
  const toFile = (name: string) => join(folder, `${name}.txt`);
  const toServer = (name: string, fixture: string) => {
    writeFileSync(toFile(name), "", { flag: "a" });
    return { command: process.execPath, args: [fixturePath(fixture), "--file", toFile(name)] };
  };
  const mcpServers = {
    crm: toServer("crm", "customers"),
    mail: toServer("mail", "customers"),
    web: toServer("web", "ledger"),
  };
  const config = join(folder, "mcp.json");
  writeFileSync(config, JSON.stringify({ mcpServers, coordinator: { policy, ...settings } }));
  const coordinator = await openCoordinator({
    config,
    settings: { stateFolder: join(folder, "state"), cacheFolder: join(folder, "cache") },
  });
  onEnd(() => coordinator.close());
  return { coordinator, folder, readCalls: (name) => readFileSync(toFile(name), "utf8") };
};
