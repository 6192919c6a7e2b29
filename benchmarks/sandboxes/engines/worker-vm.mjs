// A worker thread for each run with a `node:vm` context: it can be ended, but does not isolate.
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { openBare } from "../support/open-bare.mjs";

const guest = new URL("../guests/vm-worker.mjs", import.meta.url);
const workerData = fileURLToPath(new URL("../guests/bare-world.js", import.meta.url));

export const workerVm = {
  name: "worker + vm",
  language: "typescript",
  open: async ({ limits }) =>
    openBare(async () => {
      const resourceLimits = { maxOldGenerationSizeMb: limits.memoryMb };
      const worker = new Worker(guest, { workerData, env: {}, resourceLimits });
      const world = {
        onMessage: () => {},
        start: (program) => worker.postMessage(["start", program]),
        answer: (...values) => worker.postMessage(["answer", ...values]),
        close: () => worker.terminate(),
      };
      worker.on("message", (message) => world.onMessage(...message));
      worker.on("error", (error) => world.onMessage("failed", JSON.stringify(error.message)));
      await new Promise((resolve) => worker.once("online", resolve));
      return world;
    }, limits),
};
