// A temporary project and home folder with real files, removed after each test.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach } from "vitest";
import { type LoadOptions, loadConfiguration } from "../../../src/config/index.js";
import type { Configuration, ServerDefinition } from "../../../src/contracts/index.js";

export interface Project {
  readonly workingFolder: string;
  readonly homeFolder: string;
  /** Loads without this machine's environment. Trusts what is in the project unless an option says otherwise. */
  readonly load: (options?: LoadOptions) => Promise<Configuration>;
}

const opened: string[] = [];

afterEach(() => {
  for (const folder of opened.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Files are named from the root: `project/...` is the working folder, `home/...` the home folder. */
export const openProject = (files: Readonly<Record<string, unknown>> = {}): Project => {
  const root = mkdtempSync(join(tmpdir(), "mcp-coordinator-config-"));
  opened.push(root);
  const workingFolder = join(root, "project");
  const homeFolder = join(root, "home");
  for (const folder of [workingFolder, homeFolder]) mkdirSync(folder);
  for (const [name, content] of Object.entries(files)) {
    const path = join(root, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  }
  const load = (options: LoadOptions = {}): Promise<Configuration> =>
    loadConfiguration({ workingFolder, homeFolder, environment: {}, trust: true, ...options });
  return { workingFolder, homeFolder, load };
};

/** The only server of a configuration with one entry. */
export const loadEntry = async (
  project: Project,
  entry: Record<string, unknown>,
  environment: Readonly<Record<string, string>> = {},
): Promise<ServerDefinition & { readonly warnings: readonly string[] }> => {
  const { servers, warnings } = await project.load({
    config: { mcpServers: { subject: entry } },
    environment,
  });
  const [server] = servers;
  if (server === undefined) throw new Error(`No server was listed: ${warnings.join("; ")}`);
  return { ...server, warnings };
};
