// The main loop of every sandbox process: reads a frame with blocking reads, lets the guest work until it waits, and reads again.
import { Buffer } from "node:buffer";
import { createCipheriv, randomBytes } from "node:crypto";
import { readSync, writeSync } from "node:fs";
import { encodeFrame, prefixBytes } from "../../host/frames.mjs";
import { ChildRun } from "./child-run.mjs";

/**
 * @typedef {import("./child-run.mjs").Sandbox} Sandbox
 * @typedef {object} Engine
 * @property {(memoryMb: number) => Sandbox | Promise<Sandbox>} openSandbox the guest's world, not yet bound to a program
 * @property {(error: unknown) => import("./child-run.mjs").Ending} toEnding what an exception of the engine means
 * @property {(name: string, message: string) => boolean} [isMemoryFailure] whether this error means the memory limit
 */

const keyBytes = 32;

/**
 * Random bytes of one run: as unpredictable as its seed, and reproducible from it.
 * @param {string | undefined} seed 32 bytes in hexadecimal; without it the bytes are not reproducible
 * @returns {(count: number) => string} one character per byte
 */
const openSeededBytes = (seed) => {
  /** @type {import("node:crypto").Cipheriv | undefined} */
  let stream;
  return (count) => {
    if (seed === undefined) return randomBytes(count).toString("latin1");
    stream ??= createCipheriv(
      "aes-256-ctr",
      Buffer.from(seed, "hex").subarray(0, keyBytes),
      Buffer.alloc(16),
    );
    return stream.update(Buffer.alloc(count)).toString("latin1");
  };
};

/** Stdin and stdout, or one separate descriptor for both. */
const { GUEST_WIRE: wire } = process.env;
const [readFrom, writeTo] = wire === undefined ? [0, 1] : [Number(wire), Number(wire)];

const send = (header, body) => {
  const frame = encodeFrame(header, body);
  for (let at = 0; at < frame.length; ) at += writeSync(writeTo, frame, at);
};

/**
 * Serves runs, one at a time, until the host is gone.
 * @param {{
 *   readonly engine: Engine;
 *   readonly memoryMb: number;
 *   readonly facts?: object;
 * }} options memoryMb: the limit that most runs have; facts: reported once to the host, e.g. the walls in force
 */
export const serveRuns = async ({ engine, memoryMb, facts }) => {
  const { openSandbox, toEnding, isMemoryFailure } = engine;
  /** Created in advance. @type {Sandbox | undefined} */
  let spare = await openSandbox(memoryMb);
  /** The world of a session, between its runs. @type {Sandbox | undefined} */
  let sessionSandbox;

  const readFrame = openFrameInput(readFrom, () => process.exit(0));

  const takeSandbox = (header) => {
    const { isSession, limits } = header;
    const ready = isSession && sessionSandbox !== undefined ? sessionSandbox : spare;
    if (ready === undefined || (ready === spare && !ready.limitMemory(limits.memoryMb)))
      return openSandbox(limits.memoryMb);
    if (ready === spare) spare = undefined;
    else sessionSandbox = undefined;
    return ready;
  };

  const serveRun = async (header, body) => {
    const run = new ChildRun({
      header,
      program: JSON.parse(body),
      sandbox: await takeSandbox(header),
      send,
      readFrame,
      toEnding,
      isMemoryFailure,
      randomBytes: openSeededBytes(header.seed),
    });
    run.start();
    while (!run.isOver) run.takeFrame(run.early.shift() ?? readFrame());
    if (run.isSession && run.sandbox.isUsable()) sessionSandbox = run.sandbox;
    else run.sandbox.close();
  };

  for (let isFirst = true; ; isFirst = false) {
    send({ type: "ready", ...(isFirst ? facts : {}) });
    let frame = readFrame();
    // Frames for a run that is over are dropped.
    while (frame.header.type !== "run") frame = readFrame();
    await serveRun(frame.header, frame.body);
    if (sessionSandbox === undefined) spare ??= await openSandbox(memoryMb);
  }
};

const inboxBytes = 1 << 16;

/**
 * @param {number} descriptor
 * @param {() => never} onEnd called when the host is gone
 * @returns {() => { header: any; body: string }} reads the next frame
 */
export const openFrameInput = (descriptor, onEnd) => {
  const inbox = Buffer.allocUnsafe(inboxBytes);
  /** Bounds of the unread bytes in the inbox. */
  let from = 0;
  let to = 0;

  const readInto = (bytes, at) => {
    const count = readSync(descriptor, bytes, at, bytes.length - at, null);
    if (count === 0) onEnd();
    return count;
  };

  /** Returns exactly the next bytes; they are valid until the next call. */
  const take = (size) => {
    if (size > inboxBytes) {
      const large = Buffer.allocUnsafe(size);
      let held = inbox.copy(large, 0, from, to);
      from = to;
      while (held < size) held += readInto(large, held);
      return large;
    }
    if (to - from < size && from > 0) {
      inbox.copy(inbox, 0, from, to);
      to -= from;
      from = 0;
    }
    while (to - from < size) to += readInto(inbox, to);
    from += size;
    return inbox.subarray(from - size, from);
  };

  return () => {
    const prefix = take(prefixBytes);
    const headBytes = prefix.readUInt32LE(0);
    const bodyBytes = prefix.readUInt32LE(4);
    const frame = take(headBytes + bodyBytes);
    return {
      header: JSON.parse(frame.toString("utf8", 0, headBytes)),
      body: frame.toString("utf8", headBytes),
    };
  };
};
