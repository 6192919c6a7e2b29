// Blocking frame reads: several in one read, one in several, and one larger than the inbox.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { encodeFrame } from "../../../src/executors/host/frames.mjs";

const moduleUrl = new URL("../../../src/executors/guests/typescript/serve-runs.mjs", import.meta.url).href;

/** What a process reads from these bytes, for each frame: its number, and the size and end of its body. */
const readInProcess = (input: Buffer): readonly string[] =>
  execFileSync(
    process.execPath,
    [
      "--input-type=module",
      "-e",
      `import { openFrameInput } from ${JSON.stringify(moduleUrl)};
       const readFrame = openFrameInput(0, () => process.exit(0));
       for (;;) {
         const { header, body } = readFrame();
         console.log(header.at, body.length, body.slice(-3));
       }`,
    ],
    { input, encoding: "utf8", cwd: fileURLToPath(new URL(".", import.meta.url)) },
  )
    .trim()
    .split("\n");

describe("openFrameInput()", () => {
  it("reads frames of every size in order and ends with its input", () => {
    const sizes = [0, 1, 10, 65_000, 70_000, 3, 300_000, 0, 65_536, 2];
    const frames = sizes.map((size, at) =>
      encodeFrame({ type: "x", at }, "y".repeat(size).replace(/.$/, "ü")),
    );
    const read = readInProcess(Buffer.concat(frames));
    expect(read.map((line) => line.split(" ").slice(0, 2).join(" "))).toEqual(
      sizes.map((size, at) => `${at} ${size}`),
    );
    expect(read[6]).toMatch(/yyü$/);
  });

  it("ends quietly in the middle of a frame", () => {
    const frame = encodeFrame({ type: "x", at: 0 }, "whole");
    expect(readInProcess(Buffer.concat([frame, frame.subarray(0, 11)]))).toEqual(["0 5 ole"]);
  });
});
