import { describe, expect, it } from "vitest";
import { createFrameReader, encodeFrame } from "../../../src/executors/frames.mjs";

const read = (chunks: readonly Buffer[], maxBodyBytes = 1 << 20) => {
  const frames: [string, string][] = [];
  const take = createFrameReader({
    maxHeaderBytes: 1000,
    maxBodyBytes,
    onFrame: ({ type }, body) => void frames.push([type, body]),
  });
  for (const chunk of chunks) take(chunk);
  return frames;
};

describe("createFrameReader()", () => {
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

  it("reads frames that come in one chunk", () => {
    expect(read([bytes])).toEqual(expected);
  });

  it.each([1, 2, 3, 7, 8, 9, 64, 4096, 65_536])("reads frames that come in chunks of %i bytes", (size) => {
    const small = size < 64 ? bytes.subarray(0, 2000) : bytes;
    const chunks = Array.from({ length: Math.ceil(small.length / size) }, (_, at) =>
      small.subarray(at * size, (at + 1) * size),
    );

    expect(read(chunks)).toEqual(size < 64 ? expected.slice(0, 2) : expected);
  });

  it("throws on a body above the limit before it has arrived", () => {
    const prefix = Buffer.alloc(8);
    prefix.writeUInt32LE(10, 0);
    prefix.writeUInt32LE(0xffff_ffff, 4);

    expect(() => read([prefix])).toThrow(/outside the protocol/);
  });

  it("throws on a frame without a header", () => {
    expect(() => read([Buffer.alloc(8)])).toThrow(/outside the protocol/);
  });

  it("throws on a header that is not JSON", () => {
    const frame = encodeFrame({ type: "x" });
    frame[8] = 0x7e;

    expect(() => read([frame])).toThrow();
  });
});
