// A worker thread with a `node:vm` context in it.
import { readFileSync } from "node:fs";
import { createContext, runInContext } from "node:vm";
import { parentPort, workerData } from "node:worker_threads";

const context = createContext({});
const install = runInContext(readFileSync(workerData, "utf8"), context);
const doors = install((...message) => parentPort.postMessage(message));
parentPort.on("message", ([kind, ...values]) => {
  if (kind === "answer") doors.answer(...values);
  else doors.start(runInContext(`(async () => {${values[0]}\n})`, context));
});
