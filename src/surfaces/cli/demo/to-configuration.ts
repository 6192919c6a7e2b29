// The demo's configuration of three public MCP servers, and the snippet for a client.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { findOwnCommand } from "../../../coordinator/index.js";

const serverVersion = "2026.8.31";

// A type, not an interface: entries may have fields of other clients.
type ServerEntry = {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
};

const findInstalled = (packageName: string): string | undefined => {
  try {
    const file = createRequire(import.meta.url).resolve(`${packageName}/package.json`);
    const { bin } = JSON.parse(readFileSync(file, "utf8")) as { bin: Readonly<Record<string, string>> };
    const [script] = Object.values(bin);
    return script === undefined ? undefined : join(dirname(file), script);
  } catch {
    return undefined;
  }
};

// A server gets a minimal environment, but npx must reach the registry as configured on this machine.
const networkNames = /^(https?_proxy|no_proxy|npm_config_registry|node_extra_ca_certs|ssl_cert_(file|dir))$/i;

const networkEnvironment = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value = ""]) =>
      networkNames.test(name) ? [[name, value]] : [],
    ),
  );

const toEntry = (name: string, folder: string, words: readonly string[] = []): ServerEntry => {
  const packageName = `@modelcontextprotocol/server-${name}`;
  const env = { MEMORY_FILE_PATH: join(folder, "memory.jsonl") };
  const script = findInstalled(packageName);
  if (script !== undefined) return { command: process.execPath, args: [script, ...words], cwd: folder, env };
  const args = ["-y", `${packageName}@${serverVersion}`, ...words];
  return { command: "npx", args, cwd: folder, env: { ...networkEnvironment(), ...env } };
};

/** Servers limited to `folder`. */
export const toConfiguration = (folder: string): { readonly mcpServers: Record<string, ServerEntry> } => ({
  mcpServers: {
    filesystem: toEntry("filesystem", folder, [folder]),
    memory: toEntry("memory", folder),
    everything: toEntry("everything", folder),
  },
});

/** Refers to this installation, so that it works from where it is. */
export const toSnippet = (): object => {
  const { command, args } = findOwnCommand();
  return {
    mcpServers: {
      coordinator: { command, args: [...args, "serve", "--config", "/path/to/your/mcp.json"] },
    },
  };
};
