// The order of runs in a pool: workspaces take turns, however many runs of one of them wait.
import { PassThrough, Writable } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { defaultLimits } from "../../../src/contracts/index.js";
import { encodeFrame } from "../../../src/executors/host/frames.mjs";
import type { GuestChannel } from "../../../src/executors/host/guest-channel.js";
import { ProcessPool } from "../../../src/executors/host/process-pool.js";
import { toJob } from "../../support/guest-job.js";

/** A guest that is ready at once and finishes each run on request. */
const openGuest = (onRun: (code: string, finish: () => void) => void): GuestChannel => {
  const output = new PassThrough();
  const exits: (() => void)[] = [];
  const send = (header: { type: string }) => output.write(encodeFrame(header, ""));
  const input = new Writable({
    write: (bytes: Buffer, _encoding, done) => {
      const headBytes = bytes.readUInt32LE(0);
      const { type, run } = JSON.parse(bytes.toString("utf8", 8, 8 + headBytes)) as {
        type: string;
        run: number;
      };
      const finish = (): void => {
        send({ type: "done", run, status: "completed" } as { type: string });
        send({ type: "ready" });
      };
      if (type === "run")
        onRun((JSON.parse(bytes.toString("utf8", 8 + headBytes)) as { code: string }).code, finish);
      done();
    },
  });
  send({ type: "ready" });
  return {
    input,
    output,
    processId: () => undefined,
    lastOutput: () => "",
    kill: () => {
      for (const exit of exits) exit();
    },
    onExit: (listener) => exits.push(listener),
    unref: () => {},
  };
};

test("workspaces take turns", async () => {
  const started: string[] = [];
  const finishes: (() => void)[] = [];
  const pool = new ProcessPool<string>({
    start: () =>
      openGuest((code, finish) => {
        started.push(code);
        finishes.push(finish);
      }),
    concurrentRuns: 1,
    maxHostBytes: defaultLimits.allBytesInFlight,
  });
  onTestFinished(() => pool.close());
  const run = (workspace: string, code: string) =>
    pool.use({ kind: "typescript", workspace }, (process) => process.run(toJob({ workspace, code })));
  const runs = [
    run("ada", "ada 1"),
    ...[2, 3, 4, 5].map((at) => run("ada", `ada ${at}`)),
    run("bob", "bob 1"),
  ];
  for (let at = 1; at <= runs.length; at++) {
    await expect.poll(() => started.length, { timeout: 20_000 }).toBe(at);
    // The others' processes are ready by now and report it at once.
    await new Promise((resolve) => setImmediate(resolve));
    finishes[at - 1]?.();
  }
  await Promise.all(runs);
  expect(started.indexOf("bob 1")).toBeLessThan(3);
  expect(started.filter((code) => code.startsWith("ada"))).toEqual([
    "ada 1",
    "ada 2",
    "ada 3",
    "ada 4",
    "ada 5",
  ]);
});
