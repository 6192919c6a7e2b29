// A bare MCP client over stdio: its own cost is a few microseconds, the same for everything that is measured.
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

export const openWire = ({ args, env = {} }) => {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ["pipe", "pipe", "ignore"],
  });
  const waiting = new Map();
  let lastId = 0;
  let parts = [];
  child.stdout.on("data", (chunk) => {
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      parts.push(chunk.subarray(from, at));
      const message = JSON.parse(Buffer.concat(parts).toString("utf8"));
      parts = [];
      from = at + 1;
      waiting.get(message.id)?.(message);
      waiting.delete(message.id);
    }
    if (from < chunk.length) parts.push(chunk.subarray(from));
  });
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const request = (method, params = {}) => {
    const id = ++lastId;
    return new Promise((resolve) => {
      waiting.set(id, resolve);
      send({ id, method, params });
    });
  };
  return {
    processId: child.pid,
    startedAt,
    request,
    hello: async () => {
      const { result } = await request("initialize", {
        protocolVersion: "2025-06-18",
        capabilities: {},
        clientInfo: { name: "bench", version: "1" },
      });
      send({ method: "notifications/initialized" });
      const list = await request("tools/list");
      return {
        readyMs: performance.now() - startedAt,
        instructions: result.instructions ?? "",
        tools: list.result.tools,
      };
    },
    /** Runs a program and returns its value; throws if it failed. */
    run: async (code) => {
      const { result } = await request("tools/call", { name: "run_code", arguments: { code } });
      // Notes for the next program follow the value.
      const [{ text }] = result.content;
      if (result.isError) throw new Error(text);
      return JSON.parse(text);
    },
    runRaw: (code) => request("tools/call", { name: "run_code", arguments: { code } }),
    close: async () => {
      const exited = new Promise((done) => child.once("exit", done));
      child.stdin.end();
      await exited;
    },
  };
};

/** A process and its descendants, with their memory in MB. */
export const listFamily = (root) => {
  const all = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, "utf8");
        const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
        const memory =
          Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${name}/status`, "utf8"))?.[1] ?? 0) / 1024;
        const isUpstream = readFileSync(`/proc/${name}/cmdline`, "utf8").includes("bench-server.mjs");
        return [{ id: Number(name), parent, memory, isUpstream }];
      } catch {
        return [];
      }
    });
  const below = (id) => all.filter(({ parent }) => parent === id).flatMap((one) => [one, ...below(one.id)]);
  return [...all.filter(({ id }) => id === root), ...below(root)];
};

/** Memory in MB of a process and its descendants without upstream servers, and the number of upstream servers. */
export const readFootprint = (root) => {
  const family = listFamily(root);
  return {
    megabytes: family.filter(({ isUpstream }) => !isUpstream).reduce((sum, { memory }) => sum + memory, 0),
    upstreams: family.filter(({ isUpstream }) => isUpstream).length,
  };
};
