// Watches how long this process's event loop is blocked, counted in processor time: a busy machine does not count. Neither does
// garbage collection, whose length depends on what the tests before have left.
import { PerformanceObserver } from "node:perf_hooks";

/** Milliseconds of processor time that the main thread has used. Before Node 23.9 the whole process is counted. */
const readProcessorMs = () => {
  const { user, system } = (process.threadCpuUsage ?? process.cpuUsage)();
  return (user + system) / 1000;
};

const everyMs = 5;

/** @returns {{ readonly stop: () => number }} stop: the longest block since the start, in milliseconds */
export const watchEventLoop = () => {
  let last = { processorMs: readProcessorMs(), at: performance.now() };
  /** @type {{ from: number, to: number, processorMs: number }[]} */
  const blocks = [];
  /** @type {{ readonly startTime: number, readonly duration: number }[]} */
  const collections = [];
  const observer = new PerformanceObserver((list) => void collections.push(...list.getEntries()));
  observer.observe({ entryTypes: ["gc"] });
  const look = () => {
    const now = { processorMs: readProcessorMs(), at: performance.now() };
    const processorMs = now.processorMs - last.processorMs;
    if (processorMs > everyMs) blocks.push({ from: last.at, to: now.at, processorMs });
    last = now;
  };
  const timer = setInterval(look, everyMs);
  timer.unref();
  return {
    stop: () => {
      look();
      clearInterval(timer);
      collections.push(...observer.takeRecords());
      observer.disconnect();
      /** @param {{ from: number, to: number }} block */
      const ofCollections = ({ from, to }) =>
        collections
          .filter(({ startTime }) => startTime >= from && startTime < to)
          .reduce((sum, { duration }) => sum + duration, 0);
      return blocks.reduce(
        (longest, block) => Math.max(longest, block.processorMs - ofCollections(block)),
        0,
      );
    },
  };
};
