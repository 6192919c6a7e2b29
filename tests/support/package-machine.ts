// A machine with a clean home, an empty cache and its own registry, for servers from packages.
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openCoordinator } from "../../src/index.js";
import { openNpmRegistry } from "./npm-registry.js";
import { temporaryFolder } from "./temporary-folder.js";

type Coordinator = Awaited<ReturnType<typeof openCoordinator>>;

interface Described {
  readonly node: string;
  readonly execPath: string;
  readonly words: readonly string[];
  readonly file: string;
  readonly path: string;
  readonly token: string | null;
  readonly isBuilt: boolean;
}

/** A clean home, an empty cache and a registry. */
export const openMachine = async () => {
  const folder = await temporaryFolder();
  const registry = await openNpmRegistry();
  const home = join(folder, "home");
  await mkdir(home);
  const environment = {
    PATH: process.env.PATH,
    HOME: home,
    npm_config_registry: registry.url,
    NPM_TOKEN: "only-for-installers",
  };
  const env = { npm_config_fetch_retries: "0" };
  const toEntry = (spec: string, ...words: string[]) => ({
    command: "npx",
    args: ["-y", spec, ...words],
    env,
  });
  const settings = { cacheFolder: join(folder, "cache"), stateFolder: join(folder, "state") };
  const open = async (
    mcpServers: Record<string, { command: string; args: string[]; launch?: "as written"; cwd?: string }>,
    more: { timeouts?: object; environment?: object } = {},
  ): Promise<Coordinator> => {
    const coordinator = await openCoordinator({
      config: { mcpServers },
      settings: { ...settings, timeouts: more.timeouts ?? {} },
      workingFolder: home,
      environment: { ...environment, ...more.environment },
    });
    onTestFinished(() => coordinator.close());
    return coordinator;
  };
  const listAttempts = async (): Promise<readonly string[]> => {
    const packages = join(settings.cacheFolder, "packages");
    const names = (await readdir(packages)).filter((name) => name.startsWith("npm-"));
    const found = names.map((name) => readdir(join(packages, name), { withFileTypes: true }));
    return (await Promise.all(found)).flat().flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  };
  return { folder, home, registry, environment, settings, toEntry, open, listAttempts };
};

export const describeServer = async (coordinator: Coordinator, server: string): Promise<Described> =>
  (await coordinator.callTool({ server, tool: "describe" })) as unknown as Described;
