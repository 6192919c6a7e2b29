// Frames of a guest process that was taken over: an input is a list of frames as JSON, or raw bytes.
import { Buffer } from "node:buffer";
import { PassThrough, Writable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { defaultLimits } from "../../../dist/contracts/index.js";
import { encodeFrame } from "../../../dist/executors/host/frames.mjs";
import { GuestProcess } from "../../../dist/executors/host/guest-process.js";

const toBytes = (input) => {
  try {
    return Buffer.concat(
      JSON.parse(input).map((frame) => encodeFrame(frame.header ?? frame, String(frame.body ?? ""))),
    );
  } catch {
    return Buffer.from(input, "latin1");
  }
};

const job = {
  language: "typescript",
  code: "",
  files: [],
  globals: {},
  limits: { ...defaultLimits, timeoutMs: 1000 },
  host: { call: async () => ({ status: "answered", format: "json", body: "1" }) },
};

export const openTarget = async () => ({
  take: async (input) => {
    const output = new PassThrough();
    const exits = [];
    const guest = new GuestProcess({
      input: new Writable({ write: (_chunk, _encoding, done) => done() }),
      output,
      processId: () => undefined,
      lastOutput: () => "",
      kill: () => {
        for (const exit of exits) exit();
      },
      onExit: (listener) => exits.push(listener),
      unref: () => {},
    });
    output.write(encodeFrame({ type: "ready" }, ""));
    await guest.ready;
    const outcome = guest.run(job);
    output.write(toBytes(input));
    for (let turn = 0; turn < 5; turn++) await nextTurn();
    guest.kill();
    await outcome;
  },
});
