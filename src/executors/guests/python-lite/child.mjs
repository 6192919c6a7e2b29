// The process around an embedded Python: locks itself down, then lets the interpreter take one run, or those of one session.
// Arguments: the engine's folder, the guest world's, the guest's file, the snapshot or "", the walls.
import { Buffer } from "node:buffer";
import fs from "node:fs";
import { encodeFrame, prefixBytes } from "../../host/frames.mjs";
import { lockDown } from "../../walls/lock-down.mjs";
import { loadInterpreter } from "./load-interpreter.mjs";
import { sealRealm, toBareObject } from "./seal-realm.mjs";

const [engineFolder, worldFolder, guestFile, snapshotFile, wallText] = process.argv.slice(2);

// Captured before the realm is sealed.
const { readFileSync, readSync, writeSync } = fs;
const exit = process.exit.bind(process);

const pageBytes = 65_536;
let maxBytes = Number.POSITIVE_INFINITY;
const { grow } = WebAssembly.Memory.prototype;
// The engine treats an exception as a refusal: Python then raises MemoryError.
WebAssembly.Memory.prototype.grow = function growWithin(pages) {
  if (this.buffer.byteLength + pages * pageBytes > maxBytes)
    throw new RangeError("The memory limit was reached");
  return grow.call(this, pages);
};

const python = await loadInterpreter({
  engineFolder,
  worldFolder,
  guestFile,
  snapshot: snapshotFile === "" ? undefined : readFileSync(snapshotFile),
});
const memory = python._module.HEAP8.buffer;
const baseBytes = memory.byteLength;
let run = 0;
let lastTimer = 0;

const send = (header, body) => {
  const frame = encodeFrame(header, body);
  for (let at = 0; at < frame.length; ) at += writeSync(1, frame, at);
};

/** Reads exactly the next bytes; exits when the host is gone. */
const readExactly = (size) => {
  const bytes = Buffer.allocUnsafe(size);
  for (let held = 0; held < size; ) {
    const count = readSync(0, bytes, held, size - held, null);
    if (count === 0) exit(0);
    held += count;
  }
  return bytes;
};

const readFrame = () => {
  const prefix = readExactly(prefixBytes);
  const headBytes = prefix.readUInt32LE(0);
  const frame = readExactly(headBytes + prefix.readUInt32LE(4));
  return toBareObject({
    header: frame.toString("utf8", 0, headBytes),
    body: frame.toString("utf8", headBytes),
  });
};

/** The first ready frame carries the facts about this process. */
let facts;
const host = toBareObject({
  send: (headerText, body) => {
    const header = JSON.parse(headerText);
    send(header.type === "ready" ? { ...header, ...facts } : header, body);
    if (header.type === "ready") facts = undefined;
  },
  /** The next frame; undefined if this many milliseconds pass first. A negative number waits forever. */
  receive: (milliseconds) => {
    const timer = ++lastTimer;
    if (milliseconds >= 0) send({ type: "timer", run, timer, milliseconds });
    for (;;) {
      const frame = readFrame();
      const header = JSON.parse(frame.header);
      if (header.type === "run") run = header.run;
      if (header.type === "tick") {
        if (header.timer === timer && milliseconds >= 0) return undefined;
        continue;
      }
      if (milliseconds >= 0) send({ type: "clear", run, timer });
      return frame;
    }
  },
  limitMemory: (megabytes) => {
    maxBytes = megabytes < 0 ? Number.POSITIVE_INFINITY : baseBytes + megabytes * 1024 * 1024;
  },
  usedBytes: () => python._module.HEAP8.length - baseBytes,
});

// The engine fetches its random source on first use.
const serve = python.runPython("import embedded_guest, os; os.urandom(1); embedded_guest.serve");
facts = lockDown(JSON.parse(wallText));
sealRealm(python._api);
serve(host);
