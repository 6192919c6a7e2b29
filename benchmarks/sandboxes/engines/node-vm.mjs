// `node:vm` in the host's process: a scope without isolation. The minimum cost of a fresh run.
import { readFileSync } from "node:fs";
import { createContext, runInContext } from "node:vm";
import { openBare } from "../support/open-bare.mjs";

const source = readFileSync(new URL("../guests/bare-world.js", import.meta.url), "utf8");

export const nodeVm = {
  name: "node:vm",
  language: "typescript",
  open: async ({ limits }) =>
    openBare(async () => {
      const world = { onMessage: () => {}, close: () => {} };
      const context = createContext({});
      const doors = runInContext(source, context)((...message) => world.onMessage(...message));
      context.start = doors.start;
      const timeout = limits.timeoutMs;
      return Object.assign(world, {
        start: (program) => runInContext(`start(async () => {${program}\n})`, context, { timeout }),
        answer: doors.answer,
      });
    }, limits),
};
