// `quickjs-wasi`, the engine of our own `wasm`, used bare on the host's thread.
import { readFileSync } from "node:fs";
import { openBare } from "../support/open-bare.mjs";

const source = readFileSync(new URL("../guests/bare-world.js", import.meta.url), "utf8");

export const quickjsWasi = {
  name: "quickjs-wasi in process",
  language: "typescript",
  packages: ["quickjs-wasi@3.6.2"],
  open: async ({ limits, load, findFile }) => {
    const { QuickJS } = await load("quickjs-wasi");
    const wasm = await WebAssembly.compile(readFileSync(findFile("quickjs-wasi", "quickjs.wasm")));
    return openBare(async () => {
      let deadline = Number.POSITIVE_INFINITY;
      const vm = await QuickJS.create({
        wasm,
        memoryLimit: limits.memoryMb * 1024 * 1024,
        interruptHandler: () => performance.now() > deadline,
      });
      const post = vm.newFunction("post", (...values) => {
        world.onMessage(...values.map((value) => vm.dump(value)));
        return vm.undefined;
      });
      const doors = vm.callFunction(vm.evalCode(source), vm.undefined, post);
      const call = (door, ...values) =>
        vm.withScope(() => {
          vm.callFunction(doors.getProp(door), vm.undefined, ...values);
          vm.executePendingJobs();
        });
      const world = {
        onMessage: () => {},
        start: (program) => {
          deadline = performance.now() + limits.timeoutMs;
          call("start", vm.evalCode(`(async () => {${program}\n})`));
        },
        answer: (id, isAnswer, text) =>
          call("answer", vm.newNumber(id), isAnswer ? vm.true : vm.false, vm.newString(text)),
        close: () => vm.dispose(),
      };
      return world;
    }, limits);
  },
};
