// `npm run bench -- direct [ROUNDS]`: processor time of one call through the direct surface, an SDK pass-through and `mcporter serve`.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installPackages, toPackageDoors } from "../../scripts/install-packages.mjs";
import { packagesOf } from "../peers/packages.mjs";
import { formatLoad, median, printTable } from "../support/statistics.mjs";
import { openWire } from "../support/wire-client.mjs";
import { openHttpClient } from "./clients.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const bin = here("../../bin/mcp-coordinator.mjs");
const stdioServer = here("../support/bench-server.mjs");
const passThrough = here("./pass-through.mjs");
const rounds = Number(process.argv[2] ?? 5);
const callsPerRound = 300;
const warmUpCalls = 500;
const goal = 0.4;

const folder = mkdtempSync(join(tmpdir(), "coordinator-bench-direct-"));
const env = { HOME: folder, XDG_CACHE_HOME: folder, XDG_STATE_HOME: folder };

/** Starts a process and waits for what it prints first. */
const start = async (args, pattern) => {
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const found = await new Promise((resolve, reject) => {
    child.once("exit", () => reject(new Error(`It ended: ${output}`)));
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text) => {
        output = (output + text).slice(-2000);
        const match = pattern.exec(output);
        if (match !== null) resolve(match[1]);
      });
  });
  return {
    found,
    processId: child.pid,
    stop: async () => {
      const exited = once(child, "exit");
      child.kill("SIGTERM");
      await exited;
    },
  };
};

const writeConfig = (name, servers, others = {}) => {
  const file = join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify({ mcpServers: servers, ...others }));
  return file;
};

/** Processor time in ms of a gateway: its process, those that it started and those that name its configuration, without the upstream server. */
const readProcessorMs = ({ processId, config }) => {
  const all = readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      const words = readFileSync(`/proc/${name}/cmdline`, "utf8").split("\0");
      // Fields 14 and 15 of the manual, in hundredths of a second.
      return [{ id: Number(name), parent: Number(fields[1]), words, ticks: +fields[11] + +fields[12] }];
    } catch {
      return [];
    }
  });
  const below = (id) => all.filter(({ parent }) => parent === id).flatMap((one) => [one, ...below(one.id)]);
  const family = new Set([
    ...all.filter(({ id, words }) => id === processId || words.includes(config)),
    ...below(processId),
  ]);
  const counted = [...family].filter(({ words }) => words[1] !== stdioServer);
  return counted.reduce((sum, { ticks }) => sum + ticks * 10, 0);
};

const openStdio = async (args, { tool, config }) => {
  const wire = openWire({ args, env });
  await wire.hello();
  return {
    processId: wire.processId,
    config,
    call: async (given) => {
      const { result, error } = await wire.request("tools/call", { name: tool, arguments: given });
      if (error !== undefined) throw new Error(error.message);
      return result;
    },
    // Some do not end when their input does.
    close: async () => {
      process.kill(wire.processId, "SIGTERM");
      await wire.close();
    },
  };
};
const openHttp = async (args, { pattern, tool, config, isModern }) => {
  const { found, processId, stop } = await start(args, pattern);
  const url = found.startsWith("http") ? found : `http://127.0.0.1:${found}/mcp`;
  const client = await openHttpClient(url, { isModern });
  return {
    processId,
    config,
    call: (given) => client.call(tool, given),
    close: async () => {
      client.close();
      await stop();
    },
  };
};

await installPackages(packagesOf.mcporter);
const mcporter = toPackageDoors(packagesOf.mcporter).findFile("mcporter", "dist", "cli.js");

/** mcporter's servers belong to a process that outlives it. */
const stopDaemon = async (config) => {
  const child = spawn(process.execPath, [mcporter, "daemon", "stop", "--config", config], {
    env: { ...process.env, ...env },
    stdio: "ignore",
  });
  await once(child, "exit");
};

const openSetting = {
  stdio: async () => {
    const bench = { command: process.execPath, args: [stdioServer] };
    const config = writeConfig("stdio", { bench });
    const kept = writeConfig(
      "stdio-mcporter",
      { bench: { ...bench, lifecycle: "keep-alive" } },
      { imports: [] },
    );
    const serve = [mcporter, "serve", "--stdio", "--config", kept];
    return {
      gateways: {
        ours: () =>
          openStdio([bin, "serve", "--surface", "direct", "--config", config], { tool: "echo", config }),
        "SDK pass-through": () => openStdio([passThrough, "stdio", stdioServer], { tool: "echo" }),
        "mcporter serve": () => openStdio(serve, { tool: "bench__echo", config: kept }),
      },
      close: () => stopDaemon(kept),
    };
  },
  http: async () => {
    const upstream = await start([here("./http-server.mjs")], /port (\d+)/);
    const url = `http://127.0.0.1:${upstream.found}/mcp`;
    const config = writeConfig("http", { bench: { url } });
    const kept = writeConfig("http-mcporter", { bench: { url, lifecycle: "keep-alive" } }, { imports: [] });
    const serve = [bin, "serve", "--surface", "direct", "--http", "0", "--no-token", "--json"];
    return {
      gateways: {
        ours: () =>
          openHttp([...serve, "--config", config], {
            pattern: /"url": ?"([^"]+)"/,
            tool: "echo",
            config,
            isModern: true,
          }),
        "SDK pass-through": () =>
          openHttp([passThrough, "http", url], { pattern: /port (\d+)/, tool: "echo", isModern: true }),
        "mcporter serve": () =>
          openHttp([mcporter, "serve", "--http", "0", "--config", kept], {
            pattern: /(http:\/\/\S+\/mcp)/,
            tool: "bench__echo",
            config: kept,
            isModern: false,
          }),
      },
      close: async () => {
        await stopDaemon(kept);
        await upstream.stop();
      },
    };
  },
};

/** The median over rounds, in which all gateways take turns: the machine's speed changes while it works. */
const measure = async (way) => {
  const { gateways, close } = await openSetting[way]();
  const times = Object.fromEntries(Object.keys(gateways).map((name) => [name, []]));
  const opened = [];
  try {
    for (const [name, open] of Object.entries(gateways)) {
      const gateway = await open();
      opened.push([name, gateway]);
      for (let at = 0; at < warmUpCalls; at++) await gateway.call({ value: at });
    }
    for (let round = 0; round < rounds; round++)
      for (const [name, gateway] of opened) {
        const before = readProcessorMs(gateway);
        for (let at = 0; at < callsPerRound; at++) {
          const { structuredContent } = await gateway.call({ value: at });
          if (structuredContent.value !== at) throw new Error(`${name} gave a wrong answer`);
        }
        times[name].push((readProcessorMs(gateway) - before) / callsPerRound);
      }
  } finally {
    for (const [, gateway] of opened) await gateway.close();
    await close();
  }
  return Object.fromEntries(Object.entries(times).map(([name, all]) => [name, median(all)]));
};

const rows = [["processor time per call", "ms", "of the pass-through", "goal", ""]];
try {
  for (const [way, label] of [
    ["stdio", "stdio on both sides"],
    ["http", "HTTP on both sides, 2026-07-28"],
  ]) {
    const found = await measure(way);
    for (const [name, ms] of Object.entries(found)) {
      const ratio = ms / found["SDK pass-through"];
      const verdict = name === "ours" ? [`${goal}x`, ratio <= goal ? "met" : "MISSED"] : ["", ""];
      rows.push([`${label}: ${name}`, ms.toFixed(3), `${ratio.toFixed(2)}x`, ...verdict]);
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
printTable(rows);
console.log(formatLoad());
