// How a run inside a sandbox reports its timers to the host.
import { describe, expect, it } from "vitest";

type Header = { readonly type: string; readonly timer?: number; readonly milliseconds?: number };
// Guest code has its own type check.
const source = String(new URL("../../../src/executors/guests/typescript/child-run.mjs", import.meta.url));
const { ChildRun } = (await import(source)) as {
  readonly ChildRun: new (options: object) => { readonly start: () => void };
};

type Post = (kind: string, values: readonly (number | boolean)[]) => void;

/** The frames of a program that does its work in one turn and then waits. */
const framesOf = (work: (post: Post) => void): readonly Header[] => {
  const frames: Header[] = [];
  const sandbox = {
    onMessage: undefined as ((kind: unknown, values: readonly unknown[]) => string | undefined) | undefined,
    limitMemory: () => true,
    start: () => work((kind, values) => void sandbox.onMessage?.(kind, values)),
    enter: () => {},
    leave: () => {},
    readMemory: () => 0,
    isUsable: () => true,
    close: () => {},
  };
  const limits = { timeoutMs: 1000, outputBytes: 1000, calls: 10, argumentBytes: 10, bytesInFlight: 10 };
  const run = new ChildRun({
    header: { run: 1, isSession: false, limits },
    program: { code: "", files: {}, globals: {} },
    sandbox,
    send: (header: Header) => void frames.push(header),
    readFrame: () => ({ header: {}, body: "" }),
    toEnding: () => ({ status: "stopped", reason: "timeout" }),
    randomBytes: () => "",
  });
  run.start();
  return frames;
};

describe("ChildRun", () => {
  it("does not report timers that are cleared in the turn that set them", () => {
    const frames = framesOf((post) => {
      for (let id = 1; id <= 20_000; id++) {
        post("timer", [id, 10, false]);
        post("clear", [id]);
      }
      post("timer", [20_001, 50, false]);
    });

    expect(frames.map(({ type, timer }) => [type, timer])).toEqual([["timer", 20_001]]);
  });

  it("counts a timer from when it was set", () => {
    const [frame] = framesOf((post) => {
      post("timer", [1, 1000, false]);
      for (const start = performance.now(); performance.now() - start < 20; );
    });

    expect(frame?.milliseconds).toBeLessThanOrEqual(980);
  });

  it("reports a clear if the host knows the timer, and a thousand timers at once", () => {
    const frames = framesOf((post) => {
      for (let id = 1; id <= 1000; id++) post("timer", [id, 10, false]);
      post("clear", [7]);
      post("timer", [1001, 10, false]);
    });

    expect(frames).toHaveLength(1002);
    expect(frames[1000]).toMatchObject({ type: "clear", timer: 7 });
  });
});
