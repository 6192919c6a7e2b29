// The isolate sandbox process: takes one run at a time and gives each a fresh V8 isolate.
// Started with an empty environment and Node's permission model; it locks itself down before it takes any code.
// Arguments: the engine's addon, the default memory limit, the module that implements URL, the walls.
import { createRequire } from "node:module";
import { setFlagsFromString } from "node:v8";
import { lockDown } from "../../walls/lock-down.mjs";
import { readGuestWorld } from "./read-world.mjs";
import { serveRuns } from "./serve-runs.mjs";

const [addonPath, memoryText, urlModule, wallText] = process.argv.slice(2);
// Applies to isolates from here on: the engine gives them a quarter of Node's nursery, which slows programs that create many objects (`npm run bench -- compute`).
// It starts small, since every run pays for each page, and grows at once (`npm run bench -- sandboxes`). This process keeps its own small nursery.
setFlagsFromString("--max-semi-space-size=32");
setFlagsFromString("--semi-space-growth-factor=8");
const addon = createRequire(import.meta.url)(addonPath);
const ivm = addon.ivm ?? addon;

// Run once next to the snapshot: what it calls is compiled into it instead of in every isolate (`npm run bench -- sandboxes`).
const warmUp = `const entries = installGuest(() => ""); console.log({}); entries.start(async () => ({}), "{}"); entries.tick(0);`;
const { script, laterModules } = readGuestWorld(urlModule);
const world = `
const install = ${script};
globalThis.installGuest = (post) => {
  delete globalThis.installGuest;
  return install(post);
};`;
const snapshot = ivm.Isolate.createSnapshot([{ code: `{${world}}`, filename: "guest.mjs" }], warmUp);

/** A new isolate with the guest's world in it. */
const openSandbox = (memoryMb) => {
  const isolate = new ivm.Isolate({
    memoryLimit: memoryMb,
    snapshot,
    onCatastrophicError: () => process.abort(),
  });
  const context = isolate.createContextSync();
  const take = (kind, ...values) =>
    kind === "module" ? laterModules.get(values[0]) : sandbox.onMessage?.(kind, values);
  const post = new ivm.Callback(take, { sync: true });
  const installed = context.global
    .getSync("installGuest", { reference: true })
    .applySync(undefined, [post], { result: { reference: true } });
  // Does the one-time work of an isolate's first compilation here, where nobody waits for it.
  isolate.compileModuleSync("").release();
  /** By name, created on demand; a run without tool calls needs only one. */
  const entries = {};
  const enter = (entry, values, timeout) => {
    entries[entry] ??= installed.getSync(entry, { reference: true });
    entries[entry].applySync(undefined, values, { timeout });
  };

  const start = ({ code, files, globals, times = "" }, timeout) => {
    const modules = new Map();
    const compile = (path, source) => {
      const module = isolate.compileModuleSync(source, { filename: path });
      modules.set(path, module);
      return module;
    };
    const program = compile("program.ts", code);
    program.instantiateSync(context, (specifier) => {
      const known = modules.get(specifier);
      if (known !== undefined) return known;
      const source = files[specifier];
      if (source === undefined) throw new Error(`Cannot import "${specifier}": no such module`);
      return compile(specifier, source);
    });
    program.evaluateSync({ timeout });
    const main = program.namespace.getSync("default", { reference: true });
    enter("start", [main.derefInto(), JSON.stringify(globals), times], timeout);
  };

  const sandbox = {
    onMessage: undefined,
    limitMemory: (wanted) => wanted === memoryMb,
    start,
    enter,
    leave: () => {},
    readMemory: () => {
      try {
        const heap = isolate.getHeapStatisticsSync();
        return heap.used_heap_size + heap.externally_allocated_size;
      } catch {
        return undefined;
      }
    },
    isUsable: () => !isolate.isDisposed,
    close: () => {
      if (!isolate.isDisposed) isolate.dispose();
    },
  };
  return sandbox;
};

const toEnding = (error) => {
  const message = String(error?.message ?? error);
  if (/^Script execution timed out/i.test(message)) return { status: "stopped", reason: "timeout" };
  if (/^Isolate (?:was|is already) disposed|memory limit/i.test(message))
    return { status: "stopped", reason: "memory" };
  return {
    status: "failed",
    name: String(error?.name ?? "Error"),
    message,
    stack: String(error?.stack ?? ""),
  };
};

const facts = lockDown(JSON.parse(wallText));
await serveRuns({ engine: { openSandbox, toEnding }, memoryMb: Number(memoryText), facts });
