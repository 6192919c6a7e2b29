// Watches how long this process's event loop is blocked, counted in processor time: a busy machine does not count.

/** Milliseconds of processor time that the main thread has used. Before Node 23.9 the whole process is counted. */
const readProcessorMs = () => {
  const { user, system } = (process.threadCpuUsage ?? process.cpuUsage)();
  return (user + system) / 1000;
};

const everyMs = 5;

/** @returns {{ readonly stop: () => number }} stop: the longest block since the start, in milliseconds */
export const watchEventLoop = () => {
  let last = readProcessorMs();
  let longestMs = 0;
  const look = () => {
    const now = readProcessorMs();
    longestMs = Math.max(longestMs, now - last);
    last = now;
  };
  const timer = setInterval(look, everyMs);
  timer.unref();
  return {
    stop: () => {
      look();
      clearInterval(timer);
      return longestMs;
    },
  };
};
