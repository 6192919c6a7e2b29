// The worker that counts long texts, with the token table it shares with the main thread.
import { parentPort, workerData } from "node:worker_threads";
import { createCounter, openTable } from "./o200k.mjs";

const count = createCounter(openTable(workerData));

/** @param {string} text */
const countOrGiveUp = (text) => {
  try {
    return count(text);
  } catch {
    // Millions of consecutive combining marks overflow the regular expression engine.
    return undefined;
  }
};

parentPort?.on("message", (text) => parentPort?.postMessage(countOrGiveUp(text)));
