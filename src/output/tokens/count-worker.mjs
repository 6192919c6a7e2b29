// Counts long texts in a thread of its own, over the table that it shares with the host's thread.
import { parentPort, workerData } from "node:worker_threads";
import { createCounter } from "./o200k.mjs";
import { openTable } from "./token-table.mjs";

const count = createCounter(openTable(workerData));

/** @param {string} text */
const countOrGiveUp = (text) => {
  try {
    return count(text);
  } catch {
    // Millions of combining marks in a row are more than a regular expression can hold.
    return undefined;
  }
};

parentPort?.on("message", (text) => parentPort?.postMessage(countOrGiveUp(text)));
