// What every sandbox process of ours does: waits for a frame, lets the guest work until the guest waits, and waits again.
// It has no event loop of its own while a run is under way: clocks and timers are the host's, so nothing here can be late,
// and a blocking read is the fastest way to wait.
import { writeSync } from "node:fs";
import { ChildRun } from "./child-run.mjs";
import { openFrameInput } from "./frame-input.mjs";
import { encodeFrame } from "./frames.mjs";
import { openSeededBytes } from "./seeded-bytes.mjs";
import { createShortWait } from "./short-wait.mjs";

/**
 * @typedef {import("./child-run.mjs").Sandbox} Sandbox
 * @typedef {object} Engine
 * @property {(memoryMb: number) => Sandbox | Promise<Sandbox>} openSandbox the guest's world, not yet tied to a program
 * @property {(error: unknown) => import("./child-run.mjs").Ending} toEnding what an exception of the engine means
 * @property {(name: string, message: string) => boolean} [isMemoryFailure] whether it tells a guest of its memory limit so
 */

/** Stdin and stdout, or one descriptor for both that was opened beside them. */
const { GUEST_WIRE: wire } = process.env;
const [readFrom, writeTo] = wire === undefined ? [0, 1] : [Number(wire), Number(wire)];

/** The descriptor that frames come from. */
export const wireInput = readFrom;

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
 *   readonly hasInput?: () => boolean;
 * }} options the memory limit that most runs have; what the host is told once of this process, e.g. the walls around it;
 *   whether a frame has come, where that can be asked
 */
export const serveRuns = async ({ engine, memoryMb, facts, hasInput }) => {
  const { openSandbox, toEnding, isMemoryFailure } = engine;
  /** Made before it is asked for. @type {Sandbox | undefined} */
  let spare = await openSandbox(memoryMb);
  /** The world of a session, between its runs. @type {Sandbox | undefined} */
  let kept;

  const { readFrame, isEmpty } = openFrameInput(readFrom, () => process.exit(0));
  const awaitShortly = createShortWait(hasInput && (() => !isEmpty() || hasInput()));

  const takeSandbox = (header) => {
    const { isKept, limits } = header;
    const ready = isKept && kept !== undefined ? kept : spare;
    if (ready === undefined || (ready === spare && !ready.limitMemory(limits.memoryMb)))
      return openSandbox(limits.memoryMb);
    if (ready === spare) spare = undefined;
    else kept = undefined;
    return ready;
  };

  const runToItsEnd = async (header, body) => {
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
    while (!run.isOver) {
      const early = run.early.shift();
      run.takeFrame(early ?? (run.pendingCalls.size > 0 ? awaitShortly(readFrame) : readFrame()));
    }
    if (run.isKept && run.sandbox.isUsable()) kept = run.sandbox;
    else run.sandbox.close();
  };

  for (let isFirst = true; ; isFirst = false) {
    send({ type: "ready", ...(isFirst ? facts : {}) });
    let frame = readFrame();
    // What was sent to a run that is over is of no use to anybody.
    while (frame.header.type !== "run") frame = readFrame();
    await runToItsEnd(frame.header, frame.body);
    if (kept === undefined) spare ??= await openSandbox(memoryMb);
  }
};
