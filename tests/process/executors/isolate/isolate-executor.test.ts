// Specifics of the isolate executor: which walls it uses and reports.
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { defaultLimits, type Executor, type GuestJob } from "../../../../src/contracts/index.js";
import {
  type IsolateExecutorOptions,
  openIsolateExecutor,
} from "../../../../src/executors/engines/typescript.js";
import { toJob, toProgram } from "../../../support/guest-job.js";

const open = (options: Partial<IsolateExecutorOptions> = {}): Executor => {
  const executor = openIsolateExecutor({ limits: defaultLimits, ...options });
  onTestFinished(() => executor.close());
  return executor;
};

const job = (body: string): GuestJob => toJob({ code: toProgram(body) });

afterEach(() => {
  vi.unstubAllEnvs();
});

describe("openIsolateExecutor()", () => {
  it("reports only its own walls when no others are requested", async () => {
    const executor = open({ walls: [] });
    await executor.run(job("return 1"));

    const { isAvailable, walls, gaps } = await executor.inspect();

    expect(isAvailable).toBe(true);
    expect(walls).toEqual(["V8 isolate", "own process", "empty environment", "Node permission model"]);
    expect(gaps).toContain("no operating system wall");
  });

  it("runs nothing if a wall requested by name is missing", async () => {
    const foreign = process.platform === "darwin" ? "bubblewrap" : "seatbelt";
    const executor = open({ walls: [foreign] });

    await expect(executor.run(job("return 1"))).rejects.toMatchObject({ code: "SANDBOX_UNAVAILABLE" });
    expect(await executor.inspect()).toMatchObject({ isAvailable: false, walls: [] });
  });

  it("runs programs without generating machine code", async () => {
    const executor = open({ jitless: true });

    expect(await executor.run(job("return /(a+)b/.exec('caab')[1]"))).toMatchObject({ valueJson: '"aa"' });
    expect((await executor.inspect()).walls).toContain("no machine code generated at run time");
  });

  it("keeps the host's time zone behind the walls", async () => {
    vi.stubEnv("TZ", "America/New_York");

    expect(await open().run(job("return new Date(0).getTimezoneOffset()"))).toMatchObject({
      valueJson: "300",
    });
  });

  it("gives a guest random bytes behind the walls", async () => {
    const outcome = await open().run(job("return crypto.randomUUID()"));

    expect(outcome).toMatchObject({ valueJson: expect.stringMatching(/^"[0-9a-f]{8}-[0-9a-f-]{27}"$/) });
  });
});
