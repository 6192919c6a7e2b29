// The sandbox's own process: takes one run at a time, gives each a fresh V8 isolate, and speaks frames with the host.
// Started with an empty environment and Node's permission model; arguments: the engine's addon, the default memory limit.
// It has no event loop of its own: it waits for a frame, lets the guest work until the guest waits, and waits again.
// Clocks and timers are the host's, so nothing here can be late, and a blocking read is the fastest way to wait.
import { readFileSync, readSync, writeSync } from "node:fs";
import { createRequire } from "node:module";
import { encodeFrame, prefixBytes } from "../frames.mjs";

const [addonPath, memoryText] = process.argv.slice(2);
const addon = createRequire(import.meta.url)(addonPath);
const ivm = addon.ivm ?? addon;

const guestSource = readFileSync(new URL("./guest.mjs", import.meta.url), "utf8");
const snapshot = ivm.Isolate.createSnapshot([
  { code: `globalThis.installGuest = ${guestSource}`, filename: "guest.mjs" },
]);

const send = (header, body) => {
  const frame = encodeFrame(header, body);
  for (let at = 0; at < frame.length; ) at += writeSync(1, frame, at);
};

/** A new isolate with the guest's world in it, not yet tied to a program. */
const prepareSandbox = (memoryMb) => {
  const sandbox = { memoryMb, onMessage: undefined };
  sandbox.isolate = new ivm.Isolate({
    memoryLimit: memoryMb,
    snapshot,
    onCatastrophicError: () => process.abort(),
  });
  sandbox.context = sandbox.isolate.createContextSync();
  const post = new ivm.Callback((kind, ...values) => sandbox.onMessage?.(kind, values), { sync: true });
  const door = sandbox.context.evalClosureSync(
    "const install = globalThis.installGuest; delete globalThis.installGuest; return install($0)",
    [post],
    { result: { reference: true } },
  );
  for (const name of ["start", "answer", "tick"]) sandbox[name] = door.getSync(name, { reference: true });
  return sandbox;
};

let spare;
/** The world of a session, between its runs. */
let kept;
/** @type {Run | undefined} */
let current;

const takeSandbox = (memoryMb) => {
  if (spare?.memoryMb !== memoryMb) return prepareSandbox(memoryMb);
  const sandbox = spare;
  spare = undefined;
  return sandbox;
};

class Run {
  constructor(header, body) {
    const { code, files, globals } = JSON.parse(body);
    this.run = header.run;
    this.isKept = header.isKept;
    this.limits = header.limits;
    this.deadline = performance.now() + header.limits.timeoutMs;
    this.code = code;
    this.files = files;
    this.globals = globals;
    this.outputBytes = 0;
    this.calls = 0;
    this.pendingCalls = new Set();
    this.timers = new Set();
    this.isOver = false;
    this.outcome = undefined;
    this.sandbox = this.isKept && kept !== undefined ? kept : takeSandbox(this.limits.memoryMb);
    kept = undefined;
    this.sandbox.onMessage = (kind, values) => this.take(kind, values);
  }

  start() {
    const { isolate, context } = this.sandbox;
    const modules = new Map();
    const compile = (path, source) => {
      const module = isolate.compileModuleSync(source, { filename: path });
      modules.set(path, module);
      return module;
    };
    const program = compile("program.ts", this.code);
    program.instantiateSync(context, (specifier) => {
      const known = modules.get(specifier);
      if (known !== undefined) return known;
      const source = this.files[specifier];
      if (source === undefined) throw new Error(`Cannot import "${specifier}": no such module`);
      return compile(specifier, source);
    });
    program.evaluateSync({ timeout: this.remainingMs() });
    const main = program.namespace.getSync("default", { reference: true });
    this.enter("start", [main.derefInto(), JSON.stringify(this.globals)]);
  }

  enter(door, values) {
    this.sandbox[door].applySync(undefined, values, { timeout: this.remainingMs() });
  }

  remainingMs() {
    return Math.max(1, Math.ceil(this.deadline - performance.now()));
  }

  /** Lets the guest work until it waits, then looks whether it can ever go on. */
  slice(work) {
    try {
      work();
    } catch (error) {
      this.takeEngineError(error);
    }
    if (this.isOver) return;
    const isIdle = this.pendingCalls.size === 0 && this.timers.size === 0;
    // Like a Node process, a run ends when nothing it started is under way any more.
    if (this.outcome !== undefined && (isIdle || this.outcome.type === "failed"))
      this.finish(this.outcome, this.outcomeBody);
    else if (isIdle) this.finish({ type: "failed", name: "Error", message: deadlockMessage, stack: "" });
  }

  takeEngineError(error) {
    const message = String(error?.message ?? error);
    if (/timed out/i.test(message)) this.finish({ type: "stopped", reason: "timeout" });
    else if (/disposed|memory limit/i.test(message)) this.finish({ type: "stopped", reason: "memory" });
    else
      this.finish({
        type: "failed",
        name: String(error?.name ?? "Error"),
        message,
        stack: String(error?.stack ?? ""),
      });
  }

  /** A message of the guest, in the middle of its work. */
  take(kind, values) {
    if (this.isOver) return;
    const { run } = this;
    if (kind === "call") {
      const [call, server, tool, isRaw, text] = values;
      if (++this.calls > this.limits.calls) return this.finish({ type: "stopped", reason: "calls" });
      this.pendingCalls.add(call);
      send({ type: "call", run, call, server, tool, isRaw }, text);
    } else if (kind === "log") {
      if (this.addOutput(values[1].length + 1)) send({ type: "log", run, level: values[0] }, values[1]);
    } else if (kind === "timer") {
      this.timers.add(values[0]);
      send({ type: "timer", run, timer: values[0], milliseconds: values[1], isRepeating: values[2] });
    } else if (kind === "clear") {
      this.timers.delete(values[0]);
      send({ type: "clear", run, timer: values[0] });
    } else if (kind === "completed") {
      if (!this.addOutput(values[0].length)) return;
      this.outcome ??= { type: "completed", hasValue: values[1] };
      this.outcomeBody ??= values[0];
    } else if (kind === "failed") {
      const [name, message, stack, code] = values;
      this.outcome = { type: "failed", name, message, stack, code };
      this.outcomeBody = "";
    }
  }

  addOutput(bytes) {
    this.outputBytes += bytes;
    if (this.outputBytes > this.limits.outputBytes) this.finish({ type: "stopped", reason: "output" });
    return !this.isOver;
  }

  answer({ call, isAnswer, format = "", name = "", code = "" }, body) {
    if (this.pendingCalls.delete(call))
      this.slice(() => this.enter("answer", [call, isAnswer, format, body, name, code]));
  }

  tick({ timer, isRepeating }) {
    if (!this.timers.has(timer)) return;
    if (!isRepeating) this.timers.delete(timer);
    this.slice(() => this.enter("tick", [timer]));
  }

  /** Tells the outcome at once, even in the middle of the guest's work; the host replaces a child that never gets to clean up. */
  finish(outcome, body = "") {
    if (this.isOver) return;
    this.isOver = true;
    send(
      { ...outcome, type: "done", status: outcome.type, run: this.run, memoryBytes: this.readMemory() },
      body,
    );
  }

  readMemory() {
    try {
      const heap = this.sandbox.isolate.getHeapStatisticsSync();
      return heap.used_heap_size + heap.externally_allocated_size;
    } catch {
      return undefined;
    }
  }
}

const deadlockMessage =
  "The program waits for something that can never happen: no tool call and no timer is under way";

const takeFrame = (header, body) => {
  if (header.type === "run") {
    current = new Run(header, body);
    current.slice(() => current.start());
  } else if (current?.run !== header.run) return;
  else if (header.type === "answer") current.answer(header, body);
  else if (header.type === "tick") current.tick(header);
  else if (header.type === "stop") current.finish({ type: "stopped", reason: header.reason });
  if (current.isOver) {
    const { sandbox, isKept } = current;
    if (isKept && !sandbox.isolate.isDisposed) kept = sandbox;
    else if (!sandbox.isolate.isDisposed) sandbox.isolate.dispose();
    current = undefined;
    announceReady();
  }
};

/** Ready for the next run: the spare is made before it is asked for. */
const announceReady = () => {
  spare ??= prepareSandbox(Number(memoryText));
  send({ type: "ready" });
};

const inbox = Buffer.allocUnsafe(1 << 16);
let held = 0;

/** Exactly the next bytes; the host's end is our end. */
const readExactly = (size) => {
  const bytes = size <= inbox.length ? inbox.subarray(0, size) : Buffer.allocUnsafe(size);
  while (held < size) {
    const count = readSync(0, bytes, held, size - held, null);
    if (count === 0) process.exit(0);
    held += count;
  }
  held = 0;
  return bytes;
};

announceReady();
for (;;) {
  const prefix = readExactly(prefixBytes);
  const headBytes = prefix.readUInt32LE(0);
  const bodyBytes = prefix.readUInt32LE(4);
  const frame = readExactly(headBytes + bodyBytes);
  takeFrame(JSON.parse(frame.toString("utf8", 0, headBytes)), frame.toString("utf8", headBytes));
}
