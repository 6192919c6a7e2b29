// Reads frames of a guest in bounded steps and sizes.
import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { FrameInbox } from "../../../src/executors/host/frame-inbox.js";
import { encodeFrame } from "../../../src/executors/host/frames.mjs";

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const open = ({ maxBodyBytes = 1 << 20, admit = () => true as boolean } = {}) => {
  const output = new PassThrough();
  const frames: [string, string][] = [];
  const state = { output, frames, breaches: 0 };
  const inbox = new FrameInbox({
    output,
    maxBodyBytes: () => maxBodyBytes,
    admit,
    onFrame: ({ type }, body) => void frames.push([type, body]),
    onBreach: () => state.breaches++,
  });
  return Object.assign(state, { inbox });
};

const read = async (chunks: readonly Buffer[], maxBodyBytes?: number) => {
  const opened = open(maxBodyBytes === undefined ? {} : { maxBodyBytes });
  for (const chunk of chunks) {
    opened.output.write(chunk);
    await nextTurn();
  }
  await nextTurn();
  return opened;
};

describe("FrameInbox", () => {
  const bytes = Buffer.concat([
    encodeFrame({ type: "one" }, "é✓"),
    encodeFrame({ type: "two" }),
    encodeFrame({ type: "three" }, "x".repeat(200_000)),
  ]);
  const expected = [
    ["one", "é✓"],
    ["two", ""],
    ["three", "x".repeat(200_000)],
  ];

  it("reads frames that come in one chunk", async () => {
    expect((await read([bytes])).frames).toEqual(expected);
  });

  it.each([1, 2, 3, 7, 8, 9, 64, 4096, 65_536])(
    "reads frames that come in chunks of %i bytes",
    async (size) => {
      const small = size < 64 ? bytes.subarray(0, 300) : bytes;
      const chunks = Array.from({ length: Math.ceil(small.length / size) }, (_, at) =>
        small.subarray(at * size, (at + 1) * size),
      );

      expect((await read(chunks)).frames).toEqual(size < 64 ? expected.slice(0, 2) : expected);
    },
  );

  it("refuses a body above the limit before its header has arrived", async () => {
    const prefix = Buffer.alloc(8);
    prefix.writeUInt32LE(10, 0);
    prefix.writeUInt32LE(0xffff_ffff, 4);

    expect(await read([prefix])).toMatchObject({ breaches: 1, frames: [] });
  });

  it.each([
    ["a frame without a header", Buffer.alloc(8)],
    ["a header that is not JSON", Buffer.concat([Buffer.from([3, 0, 0, 0, 0, 0, 0, 0]), Buffer.from("{x}")])],
  ])("refuses %s, and reads nothing after it", async (_what, frame) => {
    expect(await read([frame, encodeFrame({ type: "later" })])).toMatchObject({ breaches: 1, frames: [] });
  });

  it("lets other work run between the frames of a flood", async () => {
    const { output, frames } = open();
    const countsInBetween: number[] = [];
    const look = (): void => {
      countsInBetween.push(frames.length);
      if (frames.length < 5000) setImmediate(look);
    };
    output.write(Buffer.concat(Array.from({ length: 5000 }, () => encodeFrame({ type: "tiny" }))));
    look();
    while (frames.length < 5000) await nextTurn();

    expect(new Set(countsInBetween).size).toBeGreaterThan(10);
  });

  it("reads nothing while a frame has to wait, and all of it afterwards", async () => {
    let hasRoom = false;
    const { output, frames, inbox } = open({ admit: () => hasRoom });
    output.write(bytes);
    await nextTurn();
    await nextTurn();
    expect(frames).toEqual([]);
    expect(output.isPaused()).toBe(true);

    hasRoom = true;
    inbox.resume();
    await nextTurn();

    expect(frames).toEqual(expected);
  });

  it("reads what has arrived when its guest is gone", async () => {
    const { output, frames, inbox } = open();
    output.write(Buffer.concat(Array.from({ length: 1000 }, () => encodeFrame({ type: "tiny" }))));
    await new Promise((resolve) => process.nextTick(resolve));
    inbox.finish();

    expect(frames).toHaveLength(1000);
  });
});
