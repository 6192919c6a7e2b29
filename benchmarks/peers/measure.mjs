// Measures one peer in one round: speed on a warm gateway, then how it behaves.
import { existsSync, mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { median, percentile } from "../support/statistics.mjs";
import { openGateway } from "./gateway.mjs";
import * as programs from "./programs.mjs";

const echoServer = fileURLToPath(new URL("./echo-server.mjs", import.meta.url));
const limitMs = 2000;
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const toServers = (node, log) => ({
  bench: { command: node, args: [echoServer], ...(log === undefined ? {} : { env: { CALL_LOG: log } }) },
});

const time = async (work) => {
  const startedAt = performance.now();
  const value = await work();
  return { ms: performance.now() - startedAt, value };
};

/** Opens a peer in its own folder. */
const open = async (peer, { node, work }, { log, ...options } = {}) => {
  const folder = mkdtempSync(join(work, "peer-"));
  mkdirSync(join(folder, "home"));
  return openGateway(await peer.launch(node, folder, toServers(node, log), options));
};

const run = async (peer, gateway, code, timeoutMs) =>
  peer.read(await gateway.call(...peer.toCall(code), timeoutMs));

/** Every answer is checked. A wrong one is a failure, not a figure. */
const runChecked = async (peer, gateway, code, isRight) => {
  const { ms, value } = await time(() => run(peer, gateway, code));
  if (value.isError || !isRight(value.value)) throw new Error(value.text.slice(0, 200));
  return ms;
};

const measureTrivial = async (peer, gateway, seconds) => {
  const once = () => runChecked(peer, gateway, programs.trivial(), (value) => value === 1);
  for (let i = 0; i < 20; i++) await once();
  const times = [];
  for (let i = 0; i < 200; i++) times.push(await once());
  const until = performance.now() + seconds * 1000;
  let count = 0;
  const worker = async () => {
    while (performance.now() < until) {
      await once();
      count++;
    }
  };
  const { ms } = await time(() => Promise.all(Array.from({ length: 20 }, worker)));
  return { runMs: median(times), slowRunMs: percentile(times, 0.95), runsPerSecond: (count / ms) * 1000 };
};

const tests = {
  callMs: [programs.sequence, (value) => value === programs.sequenceSum, 200],
  atOnceMs: [programs.atOnce, (value) => value === programs.atOnceSum, 1],
  filterMs: [programs.filter, (value) => Array.isArray(value) && value.length === 5, 1],
};

/** If a library's own limits stop a test, it is repeated with raised limits, and the result is marked. */
const measureTests = async (peer, first, context) => {
  const figures = {};
  let gateway = first;
  let isRaised = false;
  for (const [name, [toProgram, isRight, count]] of Object.entries(tests)) {
    const attempt = async () => {
      const times = [];
      for (let i = 0; i < 4; i++) times.push(await runChecked(peer, gateway, toProgram(peer), isRight));
      figures[name] = median(times.slice(1)) / count;
      if (isRaised) figures.raised = [...(figures.raised ?? []), name];
    };
    try {
      await attempt();
    } catch (error) {
      await gateway.close();
      isRaised = peer.kind === "library";
      gateway = await open(peer, context, { isRaised });
      if (isRaised) await attempt().catch(() => {});
      else figures.failed = { ...figures.failed, [name]: error.message };
    }
  }
  await gateway.close();
  return figures;
};

const measureBridge = async (peer, gateway) => {
  const call = (tool, value) => gateway.call(peer.direct(tool), { value });
  for (let i = 0; i < 20; i++) await call("echo", i);
  const sequence = await time(async () => {
    for (let i = 0; i < 200; i++) await call("echo", i);
  });
  const atOnce = await time(() => Promise.all(Array.from({ length: 100 }, (_, i) => call("slow", i))));
  await gateway.close();
  return { callMs: sequence.ms / 200, atOnceMs: atOnce.ms };
};

export const measureSpeed = async (peer, context) => {
  const gateway = await open(peer, context);
  const start = { readyMs: gateway.readyMs };
  if (peer.direct !== undefined) return { ...start, ...(await measureBridge(peer, gateway)) };
  const trivial = await measureTrivial(peer, gateway, context.seconds);
  return { ...start, ...trivial, ...(await measureTests(peer, gateway, context)) };
};

/** An endless loop: when it is answered, and how long others wait for a ping meanwhile. */
const measureLoop = async (peer, context) => {
  const gateway = await open(peer, context, { limitMs });
  await run(peer, gateway, programs.trivial());
  const ended = time(() => run(peer, gateway, programs.endless(), 20_000)).then(
    ({ ms }) => ms,
    () => null,
  );
  await pause(300);
  const ping = await time(() => gateway.ping(15_000)).then(
    ({ ms }) => ms,
    () => null,
  );
  const loopMs = await ended;
  await gateway.close();
  return { loopMs: loopMs && Math.round(loopMs), pingMs: ping && Math.round(ping * 10) / 10 };
};

/** How many calls reached the server although the program was wrong. */
const countCalls = async (peer, context, code) => {
  const log = join(mkdtempSync(join(context.work, "log-")), "calls.log");
  const gateway = await open(peer, context, { log });
  const { isError } = await run(peer, gateway, code, 15_000).catch(() => ({ isError: true }));
  await gateway.close();
  const calls = existsSync(log) ? readFileSync(log, "utf8").split("\n").filter(Boolean).length : 0;
  return { calls, isError };
};

export const measureBehavior = async (peer, context) => ({
  ...(await measureLoop(peer, context)),
  wrongField: await countCalls(peer, context, programs.wrongField(peer)),
  misspelt: await countCalls(peer, context, programs.misspelt(peer)),
});

/** What the gateway shows a model of a set of servers. */
export const readShown = async (peer, { node, work }, servers) => {
  const folder = mkdtempSync(join(work, "peer-"));
  const gateway = await openGateway(await peer.launch(node, folder, servers));
  await gateway.close();
  return gateway.shown;
};
