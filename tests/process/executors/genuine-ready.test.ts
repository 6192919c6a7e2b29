// A process that announces a proof in its first frame must deliver it in the next.
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { GuestJob } from "../../../src/contracts/index.js";
import { spawnChannel } from "../../../src/executors/host/guest-channel.js";
import { GuestProcess } from "../../../src/executors/host/guest-process.js";
import { toJob } from "../../support/guest-job.js";

const frames = fileURLToPath(new URL("../../../src/executors/host/frames.mjs", import.meta.url));
const job = toJob({ language: "python" });
const nextProofHash = createHash("sha256").update("a secret").digest("hex");

/** A process that announces a proof and then runs that code. */
const processThat = (text: string): GuestProcess =>
  new GuestProcess(
    spawnChannel({
      command: process.execPath,
      args: [
        "--input-type=module",
        "-e",
        `import { encodeFrame } from ${JSON.stringify(frames)};
         const send = (header) => process.stdout.write(encodeFrame(header));
         send({ type: "ready", nextProofHash: "${nextProofHash}" });
         ${text}`,
      ],
    }),
  );

/** Ends each run at once, and then reports ready in that way. */
const processThatSays = (ready: object): GuestProcess =>
  processThat(
    `let run = 0;
     process.stdin.on("data", () => { send({ type: "done", run: ++run, status: "completed" }); send(${JSON.stringify(ready)}); });`,
  );

/** Runs one job; resolves when the process has sent its next frame or is gone. */
const runOnce = async (guest: GuestProcess, changes: Partial<GuestJob> = {}): Promise<void> => {
  await guest.ready;
  const change = new Promise<void>((resolve) => {
    guest.onChange = resolve;
  });
  await guest.run({ ...job, ...changes });
  await change;
};

describe("GuestProcess", () => {
  it("accepts the next run when the proof matches the announced hash", async () => {
    const guest = processThatSays({ type: "ready", proof: "a secret", nextProofHash });
    await runOnce(guest);

    expect(guest.isReady).toBe(true);
    await guest.close();
  });

  it.each([{ type: "ready" }, { type: "ready", proof: nextProofHash, nextProofHash }])(
    "ends a process that sends %j instead of the proof",
    async (ready) => {
      const guest = processThatSays(ready);
      await runOnce(guest);

      expect(guest.isDead).toBe(true);
      expect(guest.isReady).toBe(false);
    },
  );

  it("treats a ready frame during a run as the end of its guest", async () => {
    const guest = processThat(
      `process.stdin.on("data", () => send({ type: "ready", proof: "a secret", nextProofHash: "${nextProofHash}" }));`,
    );
    await guest.ready;

    expect(await guest.run(job)).toMatchObject({ status: "failed", failure: { code: "SANDBOX_CRASHED" } });
  });

  it("begins a run with the announced hash, so that the guest skips everything before it", async () => {
    const guest = processThat(
      `process.stdin.on("data", (chunk) => send({ type: "done", run: 1, status: "failed", name: "Error", message: String(chunk.subarray(0, 64)) }));`,
    );
    await guest.ready;

    expect(await guest.run(job)).toMatchObject({ failure: { message: nextProofHash } });
    await guest.close();
  });

  it("requires no proof within a session, whose runs share a process", async () => {
    const guest = processThatSays({ type: "ready" });
    await runOnce(guest, { session: "one" });

    expect(guest.isReady).toBe(true);
    await guest.close();
  });
});
