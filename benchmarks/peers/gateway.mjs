// A bare MCP client over stdio. It costs every peer the same few microseconds.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** Some connect to all 60 servers before they answer. */
const startTimeoutMs = 180_000;

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Starts a peer and waits until it has answered `initialize` and `tools/list`. `end` stops what the peer leaves behind. */
export const openGateway = async ({ command, args, env = {}, cwd, end = () => {} }) => {
  const startedAt = performance.now();
  // In its own process group, so that everything the peer starts ends with it.
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, detached: true });
  const waiting = new Map();
  let lastWords = "";
  let hasEnded = false;
  child.stderr.setEncoding("utf8").on("data", (text) => {
    lastWords = (lastWords + text).slice(-400);
  });
  child.stdin.on("error", () => {});
  const ended = new Promise((resolve) => {
    const end = () => {
      hasEnded = true;
      for (const { reject } of waiting.values()) reject(new Error(`The peer ended: ${lastWords.trim()}`));
      waiting.clear();
      resolve();
    };
    child.on("error", end);
    child.on("exit", end);
  });
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  createInterface({ input: child.stdout, crlfDelay: Number.POSITIVE_INFINITY }).on("line", (line) => {
    if (!line.startsWith("{")) return;
    const message = JSON.parse(line);
    if (message.method !== undefined) {
      if (message.id !== undefined)
        send({ id: message.id, error: { code: -32601, message: "not supported" } });
      return;
    }
    waiting.get(message.id)?.resolve(message);
    waiting.delete(message.id);
  });
  let id = 0;
  const request = (method, params = {}, timeoutMs = 60_000) => {
    if (hasEnded) return Promise.reject(new Error("The peer has ended"));
    const number = ++id;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(number);
        reject(new Error(`No answer to ${method} within ${timeoutMs} ms`));
      }, timeoutMs);
      const settle = (finish) => (value) => {
        clearTimeout(timer);
        finish(value);
      };
      waiting.set(number, { resolve: settle(resolve), reject: settle(reject) });
      send({ id: number, method, params });
    });
  };
  const close = async () => {
    if (!hasEnded) child.stdin.end();
    await Promise.race([ended, pause(700)]);
    try {
      process.kill(-child.pid, "SIGKILL");
    } catch {
      // The whole group has ended.
    }
    await ended;
    end();
  };
  try {
    const clientInfo = { name: "peer-benchmark", version: "1" };
    const hello = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
    const { result } = await request("initialize", hello, startTimeoutMs);
    send({ method: "notifications/initialized" });
    const { result: listed } = await request("tools/list", {}, startTimeoutMs);
    return {
      readyMs: performance.now() - startedAt,
      shown: { instructions: result.instructions ?? "", tools: listed.tools },
      call: (name, given, timeoutMs) => request("tools/call", { name, arguments: given }, timeoutMs),
      ping: (timeoutMs) => request("ping", {}, timeoutMs),
      hasEnded: () => hasEnded,
      close,
    };
  } catch (error) {
    await close();
    throw new Error(`${error.message} ${lastWords.trim()}`);
  }
};
