// How a Python process that cannot start is reported.
import { describe, expect, it } from "vitest";
import { keepZygote } from "../../../../src/executors/engines/python/zygote.js";
import { GuestProcess } from "../../../../src/executors/host/guest-process.js";

const say = (script: string) =>
  keepZygote(async () => ({ command: process.execPath, args: ["-e", script], environment: {} }));

const startGuest = async (zygote: ReturnType<typeof keepZygote>): Promise<unknown> => {
  const guest = new GuestProcess(zygote.openChannel());
  const failure = await guest.ready.then(
    () => undefined,
    (error: unknown) => error,
  );
  await zygote.close();
  return failure;
};

describe("keepZygote()", () => {
  it("reports the last output of a process that did not start", async () => {
    const failure = await startGuest(say('console.error("no room for numpy"); process.exit(1)'));

    expect(failure).toMatchObject({
      code: "SANDBOX_UNAVAILABLE",
      message: "Cannot start Python: no room for numpy",
    });
  });

  it("reports the last output of a process that started and accepts no connection", async () => {
    const script =
      'console.error("no room for guests"); setTimeout(() => console.log("ready"), 100); setTimeout(() => {}, 60_000)';
    const failure = await startGuest(say(script));

    expect(failure).toMatchObject({
      code: "SANDBOX_UNAVAILABLE",
      message: "Cannot start the sandbox: its process ended: no room for guests",
      hint: expect.stringContaining("doctor") as string,
    });
  });
});
