// How each peer is installed, started and called. Versions are pinned.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { toPackageDoors } from "../../scripts/install-packages.mjs";
import { checkout } from "../../scripts/prepare.mjs";
import { openGateway } from "./gateway.mjs";
import { packagesOf } from "./packages.mjs";

const host = fileURLToPath(new URL("./hosts/host.mjs", import.meta.url));

const readText = ({ result, error }) => {
  const texts = (result?.content ?? []).map((part) => part.text ?? "");
  // Our notes for the next program follow the value.
  const text = texts.filter((one, at) => at === 0 || !one.startsWith("Learned from these answers")).join("");
  let value = text;
  try {
    value = JSON.parse(text);
  } catch {
    // Not JSON: plain text.
  }
  return { isError: error !== undefined || result?.isError === true, value, text };
};

const writeServers = (folder, mcpServers, others = {}) => {
  const config = join(folder, "mcp.json");
  writeFileSync(config, JSON.stringify({ mcpServers, ...others }));
  return config;
};

const ours = {
  name: "mcp-coordinator",
  kind: "gateway",
  engine: "V8 isolate in a locked-down process",
  isOurs: true,
  isTyped: true,
  launch: (node, folder, servers, { limitMs } = {}) => {
    const settings = limitMs === undefined ? {} : { coordinator: { limits: { timeoutMs: limitMs } } };
    const config = writeServers(folder, servers, settings);
    const bin = join(checkout, "bin", "mcp-coordinator.mjs");
    return { command: node, args: [bin, "serve", "--config", config], cwd: folder, env: { HOME: folder } };
  },
  toCall: (code) => ["run_code", { code }],
  call: (tool, given) => `bench.${tool}(${given})`,
  read: readText,
};

/** A library has no server of its own: hosts/host.mjs wraps each in the same small one. */
const library = ({ name, kind = "library", engine, group, tool, call, wrap = (code) => code }) => ({
  name,
  kind,
  engine,
  group,
  launch: (node, folder, servers, { limitMs, isRaised } = {}) => ({
    command: node,
    args: ["--no-node-snapshot", host, group, writeServers(folder, servers)],
    env: {
      ...(limitMs === undefined ? {} : { HOST_LIMIT_MS: String(limitMs) }),
      ...(isRaised ? { HOST_RAISED: "1" } : {}),
    },
  }),
  toCall: (code) => [tool, { code: wrap(code) }],
  call,
  read: readText,
});

const registered =
  'tools.executor.coreTools.connections.create({ owner: "org", name: "main", integration: NAME, template: "none", from: { provider: "file", id: "none" } })';

const executor = {
  name: "executor",
  kind: "gateway",
  engine: "QuickJS in the host's process",
  group: "executor",
  launch: async (_node, folder, servers) => {
    mkdirSync(join(folder, "data"), { recursive: true });
    const { findFile } = toPackageDoors(packagesOf.executor);
    const spec = {
      command: findFile("executor-linux-x64", "bin", "executor"),
      args: ["mcp", "--scope", folder, "--elicitation-mode", "model"],
      env: { HOME: folder, EXECUTOR_DATA_DIR: join(folder, "data"), EXECUTOR_DISABLE_UPDATE_CHECK: "1" },
      cwd: folder,
    };
    // Servers are registered once, through its own tools; each registration asks for a confirmation.
    const setup = await openGateway(spec);
    const run = async (code) => {
      let { result } = await setup.call("execute", { code });
      while (result?.structuredContent?.status === "waiting_for_interaction") {
        const { executionId } = result.structuredContent;
        ({ result } = await setup.call("resume", { executionId, action: "accept", content: "{}" }));
      }
      if (!result?.structuredContent?.result?.ok)
        throw new Error(`Cannot register a server: ${JSON.stringify(result).slice(0, 300)}`);
    };
    try {
      for (const [name, server] of Object.entries(servers)) {
        const given = JSON.stringify({ transport: "stdio", name, slug: name, ...server });
        await run(`return await tools.executor.mcp.addServer(${given})`);
        await run(`return await ${registered.replace("NAME", JSON.stringify(name))}`);
      }
    } finally {
      await setup.close();
    }
    return spec;
  },
  toCall: (code) => ["execute", { code }],
  call: (tool, given) => `tools.bench.org.main.${tool}(${given})`,
  read: (message) => {
    const read = readText(message);
    return { ...read, value: message.result?.structuredContent?.result ?? read.value };
  },
};

const mcporter = {
  name: "mcporter serve",
  kind: "bridge, no programs",
  engine: "none",
  group: "mcporter",
  launch: (node, folder, servers) => {
    const kept = Object.entries(servers).map(([name, server]) => [
      name,
      { ...server, lifecycle: "keep-alive" },
    ]);
    const config = writeServers(folder, Object.fromEntries(kept), { imports: [] });
    const cli = toPackageDoors(packagesOf.mcporter).findFile("mcporter", "dist", "cli.js");
    return {
      command: node,
      args: [cli, "serve", "--stdio", "--config", config],
      cwd: folder,
      env: { HOME: folder },
      // A daemon keeps servers alive.
      end: () =>
        execFileSync(node, [cli, "daemon", "stop", "--config", config], {
          env: { ...process.env, HOME: folder },
        }),
    };
  },
  /** The client calls the tools itself. */
  direct: (tool) => `bench__${tool}`,
  read: readText,
};

const under = (prefix) => (tool, given) => `${prefix}bench__${tool}(${given})`;

export const peers = [
  ours,
  library({
    name: "no sandbox: the SDK's client",
    kind: "baseline",
    engine: "the host process itself",
    group: "direct",
    tool: "run_code",
    call: under("tools."),
  }),
  executor,
  library({
    name: "@utcp/code-mode",
    engine: "V8 isolate in the host's process",
    group: "utcp",
    tool: "call_tool_chain",
    call: (tool, given) => `bench.bench_${tool}(${given})`,
  }),
  library({
    name: "@tanstack/ai-code-mode",
    engine: "V8 isolate in the host's process",
    group: "tanstack",
    tool: "execute_typescript",
    call: under("external_"),
  }),
  library({
    name: "@ai-sdk/code-mode",
    engine: "QuickJS in worker threads",
    group: "ai-sdk",
    tool: "code_mode",
    call: under("tools."),
  }),
  library({
    name: "@cloudflare/codemode",
    engine: "workerd, local",
    group: "cloudflare",
    tool: "codemode",
    call: under("codemode."),
    wrap: (code) => `async () => {\n${code}\n}`,
  }),
  mcporter,
];
