// The wasm sandbox process: takes one run at a time and gives each a fresh QuickJS, itself inside WebAssembly.
// A sandbox is its linear memory: copying its first image over it resets it in 0.1 ms.
// Started with an empty environment and Node's permission model; it locks itself down before it takes any code.
// Arguments: the engine's folder, the default memory limit, the module that implements URL, the walls.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { lockDown } from "../../walls/lock-down.mjs";
import { readGuestWorld } from "./read-world.mjs";
import { serveRuns } from "./serve-runs.mjs";

/** Free memory inside the first image: the sandbox of a program that needs no more can be reused. */
const reserveBytes = 2 << 20;
/** The engine's own stack: beyond it a program gets a RangeError that it can catch. It must end before the process's stack. */
const stackBytes = (process.platform === "win32" ? 256 : 512) * 1024;
/** The engine counts in 32 bits. */
const maxMemoryBytes = 0xffff_0000;
const entryNames = ["start", "answer", "progress", "tick", "fail"];

class Stopped extends Error {
  constructor(reason) {
    super(reason);
    this.reason = reason;
  }
}

/**
 * @param {{ readonly quickjs: typeof import("quickjs-wasi"); readonly module: WebAssembly.Module; readonly world: ReturnType<typeof import("./read-world.mjs").readGuestWorld> }} options
 *   the engine's package, its compiled binary, the guest's world
 */
const createEngine = async ({ quickjs, module, world }) => {
  const { EvalFlags, JSException, JSValueHandle, QuickJS } = quickjs;

  const toOptions = (sandbox) => ({
    wasm: module,
    maxStackSize: stackBytes,
    interruptHandler: () => sandbox.isInterrupted(),
    moduleLoader: {
      // A module of an earlier run in the same session is not the module of this one.
      normalize: (_base, specifier) => (sandbox.runs > 1 ? `${specifier}#${sandbox.runs}` : specifier),
      load: (name) => sandbox.load(name.replace(/#\d+$/, "")),
    },
    // The engine's own output must not corrupt our frames.
    wasi: () => ({ fd_write: () => 8 }),
  });

  const first = await QuickJS.create(toOptions({ isInterrupted: () => false }));
  const readLater = (specifier) => world.laterModules.get(specifier) ?? "";
  const post = first.newFunction("post", (_kind, specifier) =>
    first.newString(readLater(toValue(specifier))),
  );
  const install = first.evalCode(world.script, "guest.mjs");
  const installed = first.callFunction(install, first.undefined, post);
  const tokens = entryNames.map((name) => first.exportHandle(installed.getProp(name)));
  // Loads both into the image, so that no run has to load them.
  first.evalCode("URL; URLSearchParams");
  first._getExports().wasm_free(first._getExports().wasm_malloc(reserveBytes));
  const snapshot = first.snapshot();

  class Sandbox {
    onMessage = undefined;
    runs = 0;
    #vm;
    #entries;
    #image;
    #files = {};
    #deadline = Number.POSITIVE_INFINITY;
    #isLeft = false;
    #wasInterrupted = false;
    #isBroken = false;

    async open() {
      const vm = await QuickJS.restore(snapshot, toOptions(this));
      this.#vm = vm;
      this.#entries = Object.fromEntries(entryNames.map((name, at) => [name, vm.importHandle(tokens[at])]));
      vm.registerHostCallback("post", (...handles) => this.#take(handles));
      // Created now, these are part of the image: later ones are lost on reset.
      for (const name of ["global", "undefined", "null", "true", "false"]) vm[name];
      this.#image = vm.snapshot();
      return this;
    }

    limitMemory(memoryMb) {
      this.#vm._getExports().qjs_set_memory_limit(Math.min(memoryMb * 1024 * 1024, maxMemoryBytes));
      return true;
    }

    start({ code, files, globals, times = "" }, timeoutMs) {
      this.runs++;
      this.#files = files;
      this.#isLeft = false;
      this.#work(timeoutMs, () => {
        const vm = this.#vm;
        const evaluated = vm.evalCode(code, "program.ts", EvalFlags.TYPE_MODULE);
        vm.executePendingJobs();
        const result = () => new JSValueHandle(vm, vm._getExports().qjs_promise_result(evaluated.ptr));
        if (evaluated.promiseState === 2) vm.callFunction(this.#entries.fail, vm.undefined, result());
        else if (evaluated.promiseState === 0) throw new Error("A module uses top-level await");
        else
          vm.callFunction(
            this.#entries.start,
            vm.undefined,
            result().getProp("default"),
            this.#toHandle(JSON.stringify(globals)),
            this.#toHandle(times),
          );
      });
    }

    enter(entry, values, timeoutMs) {
      this.#work(timeoutMs, () =>
        this.#vm.callFunction(
          this.#entries[entry],
          this.#vm.undefined,
          ...values.map((value) => this.#toHandle(value)),
        ),
      );
    }

    leave() {
      this.#isLeft = true;
    }

    readMemory() {
      return this.#vm._getMemory().buffer.byteLength;
    }

    isUsable() {
      return !this.#isBroken;
    }

    close() {
      const memory = new Uint8Array(this.#vm._getMemory().buffer);
      this.onMessage = undefined;
      // Memory that has grown does not shrink: discard the sandbox.
      if (this.#isBroken || memory.length !== this.#image.memory.length) return;
      memory.set(this.#image.memory);
      this.#vm._getExports().__stack_pointer.value = this.#image.stackPointer;
      this.runs = 0;
      idle = this;
    }

    isInterrupted() {
      this.#wasInterrupted ||= this.#isLeft || performance.now() > this.#deadline;
      return this.#wasInterrupted;
    }

    load(name) {
      const source = Object.hasOwn(this.#files, name) ? this.#files[name] : undefined;
      // Without a stack: the engine would pass it on to the guest.
      if (source === undefined) throw withoutStack(new Error(`Cannot import "${name}": no such module`));
      return source;
    }

    /** Lets the guest work until it waits. */
    #work(timeoutMs, work) {
      this.#deadline = performance.now() + timeoutMs;
      this.#wasInterrupted = false;
      try {
        this.#vm.withScope(() => {
          try {
            work();
          } catch (error) {
            this.#takeException(error);
          }
          this.#vm.executePendingJobs();
        });
        // An interrupted job of an async function ends without an exception here.
        if (this.#wasInterrupted) throw new Stopped("timeout");
      } catch (error) {
        throw this.#toError(error);
      }
    }

    /** The guest's own world describes what a guest throws: it can inspect it safely. */
    #takeException(error) {
      if (this.#wasInterrupted || !(error instanceof JSException)) throw error;
      const { fail } = this.#entries;
      this.#vm.callFunction(fail, this.#vm.undefined, error.handle);
      error.dispose();
    }

    #toError(error) {
      if (this.#wasInterrupted) return new Stopped("timeout");
      if (error instanceof Stopped) return error;
      if (error instanceof JSException) return new Stopped("memory");
      const message = String(error?.message ?? error);
      if (/out of memory|malloc failed|allocation failed/i.test(message)) return new Stopped("memory");
      // A WebAssembly exception: the engine was interrupted and its state is broken.
      this.#isBroken = true;
      return error;
    }

    #take(handles) {
      try {
        const [kind, ...values] = handles.map(toValue);
        const answer = kind === "module" ? readLater(values[0]) : this.onMessage?.(kind, values);
        return typeof answer === "string" ? this.#toHandle(answer) : this.#vm.undefined;
      } catch (error) {
        throw withoutStack(error);
      }
    }

    #toHandle(value) {
      if (typeof value === "boolean") return value ? this.#vm.true : this.#vm.false;
      if (typeof value === "number") return this.#vm.newNumber(value);
      const handle = this.#vm.newString(value);
      if (!handle.isString) throw new Stopped("memory");
      return handle;
    }
  }

  /** @type {Sandbox | undefined} */
  let idle;

  return {
    openSandbox: async (memoryMb) => {
      // Release the memory of a discarded sandbox now, before the next one is allocated.
      if (idle === undefined) globalThis.gc?.();
      const sandbox = idle ?? (await new Sandbox().open());
      idle = undefined;
      sandbox.limitMemory(memoryMb);
      return sandbox;
    },
    toEnding: (error) =>
      error instanceof Stopped
        ? { status: "stopped", reason: error.reason }
        : {
            status: "failed",
            name: String(error?.name ?? "Error"),
            message: String(error?.message ?? error),
            stack: "",
          },
    isMemoryFailure: (name, message) => name === "InternalError" && message === "out of memory",
  };
};

const withoutStack = (error) => Object.assign(error, { stack: "" });

const toValue = (handle) => {
  if (handle.isString) return handle.toString();
  if (handle.isNumber) return handle.toNumber();
  return handle.isBool ? handle.toBoolean() : undefined;
};

const [engineFolder, memoryText, urlModule, wallText] = process.argv.slice(2);

// Synchronously: resolving a promise later needs the event loop, which needs calls that the walls forbid.
WebAssembly.instantiate = async (module, imports) => new WebAssembly.Instance(module, imports);

const engine = await createEngine({
  quickjs: await import(pathToFileURL(`${engineFolder}/dist/index.js`).href),
  module: new WebAssembly.Module(readFileSync(`${engineFolder}/quickjs.wasm`)),
  world: readGuestWorld(urlModule),
});

const facts = lockDown(JSON.parse(wallText));
await serveRuns({ engine, memoryMb: Number(memoryText), facts });
