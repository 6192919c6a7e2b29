// Watches how long this process's event loop is blocked. Counted is processor time of the main thread without garbage collection, whose
// length depends on what the tests before have left, and divided by how slow the machine is at that moment.
import { readFileSync } from "node:fs";
import { PerformanceObserver } from "node:perf_hooks";
import { setImmediate as nextTurn } from "node:timers/promises";

const threadFile = `/proc/self/task/${process.pid}/schedstat`;

/**
 * Milliseconds of processor time that the main thread has used, without the kernel's: forking and page faults take long on a machine
 * that is short of memory. Without a better source, the whole thread or process is counted.
 */
const readProcessorMs = () => {
  if (process.threadCpuUsage === undefined) {
    try {
      return Number.parseInt(readFileSync(threadFile, "utf8"), 10) / 1e6;
    } catch {}
  }
  return (process.threadCpuUsage ?? process.cpuUsage)().user / 1000;
};

const everyMs = 5;
/** For blocks from this length on, the machine's speed is measured. */
const longMs = 50;

const referenceText = JSON.stringify(Array.from({ length: 50_000 }, (_, id) => ({ id, list: [id, "text"] })));

/** A fixed piece of work like that of a host. It is native code, which is as fast the first time. */
export const doReferenceWork = () => JSON.parse(referenceText);
/** How long that takes on an idle core: the minimum of many measurements on a virtual machine of 2026. */
const referenceMs = 7;

/**
 * How much slower the machine is now: where cores and caches are shared, or are slow, the same work takes more processor time. The
 * kernel counts that in steps of a few milliseconds, so several pieces of work are measured together.
 */
const measureSlowness = () => {
  let slowest = 1;
  for (let round = 0; round < 3; round++) {
    const before = readProcessorMs();
    for (let piece = 0; piece < 4; piece++) doReferenceWork();
    slowest = Math.max(slowest, (readProcessorMs() - before) / (4 * referenceMs));
  }
  return slowest;
};

/** @typedef {{ from: number, to: number, processorMs: number, slowness: number }} Block */

/** @returns {{ readonly stop: () => Promise<{ readonly blockedMs: number, readonly account: string }> }} stop: the longest block since the start, and where its time went */
export const watchEventLoop = () => {
  const startedAt = performance.now();
  let last = { processorMs: readProcessorMs(), at: startedAt };
  /** @type {Block[]} */
  const blocks = [];
  /** @type {{ readonly startTime: number, readonly duration: number }[]} */
  const collections = [];
  const observer = new PerformanceObserver((list) => void collections.push(...list.getEntries()));
  observer.observe({ entryTypes: ["gc"] });
  const look = () => {
    const now = { processorMs: readProcessorMs(), at: performance.now() };
    const processorMs = now.processorMs - last.processorMs;
    const isLong = processorMs > longMs;
    if (processorMs > everyMs)
      blocks.push({ from: last.at, to: now.at, processorMs, slowness: isLong ? measureSlowness() : 1 });
    last = isLong ? { processorMs: readProcessorMs(), at: performance.now() } : now;
  };
  const timer = setInterval(look, everyMs);
  timer.unref();

  /** @param {Block} block */
  const collectedIn = ({ from, to }) =>
    collections
      .filter(({ startTime }) => startTime >= from && startTime < to)
      .reduce((sum, { duration }) => sum + duration, 0);
  /** @param {Block} block */
  const judge = (block) => {
    const collectedMs = collectedIn(block);
    const blockedMs = Math.max(0, block.processorMs - collectedMs) / block.slowness;
    const [used, collected, at, lasted] = [
      block.processorMs,
      collectedMs,
      block.from - startedAt,
      block.to - block.from,
    ].map(Math.round);
    const account = `${used} ms of processor time, ${collected} ms of them garbage collection, within ${lasted} ms, ${at} ms after the start; the machine needed ${block.slowness.toFixed(1)} times the reference time`;
    return { blockedMs, account };
  };

  return {
    stop: async () => {
      look();
      clearInterval(timer);
      // Collections are reported a turn later.
      await nextTurn();
      collections.push(...observer.takeRecords());
      observer.disconnect();
      return blocks
        .map(judge)
        .reduce((longest, block) => (block.blockedMs > longest.blockedMs ? block : longest), {
          blockedMs: 0,
          account: "it was never blocked",
        });
    },
  };
};
