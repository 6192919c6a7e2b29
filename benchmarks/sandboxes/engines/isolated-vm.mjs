// Bare `isolated-vm` in the host's process: the guest has its own thread.
import { readFileSync } from "node:fs";
import { openBare } from "../support/open-bare.mjs";

const source = readFileSync(new URL("../guests/bare-world.js", import.meta.url), "utf8");
const isOld = Number.parseInt(process.versions.node, 10) < 24;

export const isolatedVm = {
  name: "isolated-vm in process",
  language: "typescript",
  packages: [isOld ? "isolated-vm@6.2.0" : "isolated-vm@7.0.1"],
  flags: ["--no-node-snapshot"],
  open: async ({ limits, load }) => {
    const { default: ivm } = await load("isolated-vm");
    const timeout = limits.timeoutMs;
    return openBare(async () => {
      const isolate = new ivm.Isolate({ memoryLimit: limits.memoryMb });
      const context = await isolate.createContext();
      const world = { onMessage: () => {}, close: () => isolate.isDisposed || isolate.dispose() };
      const post = new ivm.Callback((...message) => world.onMessage(...message), { ignored: true });
      const install = await context.eval(source, { reference: true });
      const doors = await install.apply(undefined, [post], { result: { reference: true } });
      const start = await doors.get("start", { reference: true });
      const answer = await doors.get("answer", { reference: true });
      return Object.assign(world, {
        start: async (program) => {
          const main = await context.eval(`(async () => {${program}\n})`, { reference: true });
          await start.apply(undefined, [main.derefInto()], { timeout });
        },
        answer: (...values) => answer.apply(undefined, values, { timeout }),
      });
    }, limits);
  },
};
