// The demo's three public MCP servers, the orders that they work on, and the snippet for a client.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { findOwnCommand } from "../../../coordinator/index.js";

const cities = ["New York", "Chicago", "Los Angeles"];
const products = ["lamp", "chair", "desk", "shelf", "rug", "mirror", "clock"];
const states = ["paid", "paid", "paid", "shipped", "shipped", "returned"];

// A linear congruential generator: numbers look random but never change.
const createDice = (seed: number) => {
  let state = seed;
  return (sides: number): number => {
    state = (state * 1664525 + 1013904223) % 2 ** 32;
    return Math.floor((state / 2 ** 32) * sides);
  };
};

/** `count` orders as CSV with a header. */
export const toOrders = (count: number): string => {
  const roll = createDice(2026);
  const pick = (values: readonly string[]): string => values[roll(values.length)] ?? "";
  const lines = Array.from({ length: count }, (_, index) => {
    const day = new Date(Date.UTC(2026, 0, 1 + Math.floor((index * 181) / count))).toISOString().slice(0, 10);
    const price = (roll(40_000) / 100 + 9.5).toFixed(2);
    return [10_001 + index, day, pick(cities), pick(products), 1 + roll(4), price, pick(states)].join(",");
  });
  return `${["order,date,city,product,quantity,price,state", ...lines].join("\n")}\n`;
};

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
