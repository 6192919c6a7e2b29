// The demo's configuration: three public MCP servers, from node_modules where they are, else through npx.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const serverVersion = "2026.8.31";

// A type, not an interface: a configuration's entries may hold fields of other clients.
type ServerEntry = {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
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

const toEntry = (name: string, folder: string, words: readonly string[] = []): ServerEntry => {
  const packageName = `@modelcontextprotocol/server-${name}`;
  const script = findInstalled(packageName);
  return script === undefined
    ? { command: "npx", args: ["-y", `${packageName}@${serverVersion}`, ...words], cwd: folder }
    : { command: process.execPath, args: [script, ...words], cwd: folder };
};

/** Servers that work in `folder` only. */
export const toConfiguration = (folder: string): { readonly mcpServers: Record<string, ServerEntry> } => ({
  mcpServers: {
    filesystem: toEntry("filesystem", folder, [folder]),
    memory: { ...toEntry("memory", folder), env: { MEMORY_FILE_PATH: join(folder, "memory.jsonl") } },
    everything: toEntry("everything", folder),
  },
});
