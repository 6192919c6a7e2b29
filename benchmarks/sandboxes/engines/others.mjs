// The engines that ours are compared with: common alternatives, and the baselines.
import { aiSdkCodeMode } from "./ai-sdk-code-mode.mjs";
import { denoProcess } from "./deno-process.mjs";
import { isolatedVm } from "./isolated-vm.mjs";
import { nodeProcess } from "./node-process.mjs";
import { nodeVm } from "./node-vm.mjs";
import { pythonFork } from "./python-fork.mjs";
import { pythonProcess } from "./python-process.mjs";
import { quickjsEmscripten } from "./quickjs-emscripten.mjs";
import { quickjsWasi } from "./quickjs-wasi.mjs";
import { sebastianwesselQuickjs } from "./sebastianwessel-quickjs.mjs";
import { tanstackIsolate } from "./tanstack-isolate.mjs";
import { workerVm } from "./worker-vm.mjs";

export const others = [
  nodeVm,
  workerVm,
  nodeProcess,
  denoProcess,
  isolatedVm,
  tanstackIsolate,
  quickjsEmscripten,
  sebastianwesselQuickjs,
  quickjsWasi,
  aiSdkCodeMode,
  pythonFork,
  pythonProcess,
];
