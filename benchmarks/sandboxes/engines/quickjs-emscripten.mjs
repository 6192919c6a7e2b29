// `quickjs-emscripten`: QuickJS in WebAssembly on the host's thread.
import { readFileSync } from "node:fs";
import { openBare } from "../support/open-bare.mjs";

const source = readFileSync(new URL("../guests/bare-world.js", import.meta.url), "utf8");

export const quickjsEmscripten = {
  name: "quickjs-emscripten",
  language: "typescript",
  packages: ["quickjs-emscripten@0.32.0"],
  open: async ({ limits, load }) => {
    const { getQuickJS } = await load("quickjs-emscripten");
    const quickjs = await getQuickJS();
    return openBare(async () => {
      let deadline = Number.POSITIVE_INFINITY;
      const runtime = quickjs.newRuntime({ memoryLimitBytes: limits.memoryMb * 1024 * 1024 });
      runtime.setInterruptHandler(() => performance.now() > deadline);
      const vm = runtime.newContext();
      const post = vm.newFunction("post", (...values) => world.onMessage(...values.map(vm.dump)));
      const install = vm.unwrapResult(vm.evalCode(source));
      const doors = vm.unwrapResult(vm.callFunction(install, vm.undefined, post));
      const [start, answer] = ["start", "answer"].map((name) => vm.getProp(doors, name));
      const call = (door, ...values) => {
        vm.unwrapResult(vm.callFunction(door, vm.undefined, ...values)).dispose();
        vm.unwrapResult(runtime.executePendingJobs());
        for (const value of values) value.dispose();
      };
      const world = {
        onMessage: () => {},
        start: (program) => {
          deadline = performance.now() + limits.timeoutMs;
          call(start, vm.unwrapResult(vm.evalCode(`(async () => {${program}\n})`)));
        },
        answer: (id, isAnswer, text) =>
          call(answer, vm.newNumber(id), isAnswer ? vm.true : vm.false, vm.newString(text)),
        close: () => {
          for (const handle of [post, install, doors, start, answer]) handle.dispose();
          vm.dispose();
          runtime.dispose();
        },
      };
      return world;
    }, limits);
  },
};
