#!/usr/bin/env node
// The command: hands over to a newer Node where the machine's is too old, then starts the command line.
import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import module from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";
import { isatty } from "node:tty";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const [major, minor] = process.versions.node.split(".").map(Number);

// The same place as the setting "cacheFolder" has by default.
const cacheFolder = () => {
  const { env, platform } = process;
  if (env.MCP_COORDINATOR_CACHE_FOLDER) return env.MCP_COORDINATOR_CACHE_FOLDER;
  if (platform === "win32")
    return join(env.LOCALAPPDATA || join(homedir(), "AppData", "Local"), "mcp-coordinator");
  if (platform === "darwin") return join(homedir(), "Library", "Caches", "mcp-coordinator");
  return join(env.XDG_CACHE_HOME || join(homedir(), ".cache"), "mcp-coordinator");
};

const findOwnNode = () => {
  const modules = join(root, ".node", "node_modules");
  const name = existsSync(modules) && readdirSync(modules).find((entry) => entry.startsWith("node-"));
  return name && join(modules, name, "bin", process.platform === "win32" ? "node.exe" : "node");
};

const fail = (message) => {
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
};

/** Tells the host on which descriptor it can see that its launcher has ended. */
const launcherVariable = "MCP_COORDINATOR_LAUNCHER_PIPE";
// On Windows the system ends a child with the process that started it.
const hasLauncherPipe = process.platform !== "win32";

const handOver = (node) => {
  const child = spawn(node, process.argv.slice(1), {
    stdio: ["inherit", "inherit", "inherit", ...(hasLauncherPipe ? ["pipe"] : [])],
    env: hasLauncherPipe ? { ...process.env, [launcherVariable]: "3" } : process.env,
  });
  child.stdio[3]?.on("error", () => {});
  // A terminal sends Ctrl-C to both processes by itself.
  const signals = isatty(0) ? ["SIGTERM", "SIGHUP"] : ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  if (isatty(0)) process.on("SIGINT", () => {});
  child.on("error", (error) =>
    fail(`Cannot start "${node}": ${error.message}; remove the folder ".node" and run "npm start"`),
  );
  child.on("exit", (code, signal) => process.exit(code ?? (signal === "SIGINT" ? 130 : 143)));
};

const endWithLauncher = async () => {
  const descriptor = Number(process.env[launcherVariable]);
  // Processes that the host starts have another launcher.
  delete process.env[launcherVariable];
  if (!Number.isInteger(descriptor) || descriptor < 3) return;
  const { Worker } = await import("node:worker_threads");
  const options = { workerData: { descriptor }, env: {}, stdin: false };
  const watch = new Worker(new URL("./end-with-launcher.mjs", import.meta.url), options);
  // Without the thread the host still ends with its client's pipe.
  watch.on("error", () => {});
  watch.unref();
};

if (major > 22 || (major === 22 && minor >= 13)) {
  const main = new URL("../dist/bundle/cli.js", import.meta.url);
  if (existsSync(main)) {
    module.enableCompileCache?.(join(cacheFolder(), "compiled"));
    if (process.env[launcherVariable] !== undefined) await endWithLauncher();
    await (await import(main.href)).main(process.argv.slice(2));
  } else {
    fail(`Cannot start: this checkout is not built yet; run "npm run build" in ${root}`);
  }
} else {
  const node = findOwnNode();
  if (node) handOver(node);
  else {
    const advice = existsSync(join(root, "scripts"))
      ? `run "npm start" in ${root}`
      : "get it from https://nodejs.org";
    fail(`mcp-coordinator needs Node 22.13 or newer, this is ${process.versions.node}: ${advice}`);
  }
}
