// What a hostile Python program can reach in a container: the reported protections, attacked from inside.
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Executor, GuestJob, GuestOutcome } from "../../src/contracts/index.js";
import { defaultLimits } from "../../src/contracts/index.js";
import { openContainerExecutor } from "../../src/executors/engines/container/container.js";
import { findContainerObstacle } from "../support/container-image.js";
import { toJob } from "../support/guest-job.js";

const obstacle = await findContainerObstacle("python");

describe.skipIf(obstacle !== undefined)(
  `a container${obstacle === undefined ? "" : ` (${obstacle})`}`,
  () => {
    let executor: Executor;
    const toPythonJob = (code: string, changes: Partial<GuestJob> = {}): GuestJob =>
      toJob({ language: "python", code, ...changes });
    const run = (code: string): Promise<GuestOutcome> => executor.run(toPythonJob(code));
    const readValue = async (code: string): Promise<unknown> => {
      const outcome = await run(code);
      return outcome.status === "completed" ? JSON.parse(outcome.valueJson ?? "null") : outcome;
    };
    /** Runs an attempt; the value is "reached" and what it found, or the name of what stopped it. */
    const attempt = (code: string): Promise<unknown> =>
      readValue(
        `def attempt():\n${code.replace(/^/gm, "    ")}\ntry:\n    result = ["reached", attempt()]\nexcept BaseException as error:\n    result = type(error).__name__\nresult`,
      );

    beforeAll(() => {
      process.env.PLANTED_SECRET = "planted";
      executor = openContainerExecutor({ limits: { ...defaultLimits, concurrentRuns: 1 } });
    });
    afterAll(async () => {
      delete process.env.PLANTED_SECRET;
      await executor.close();
    });

    it("hides the host's files", async () => {
      expect(await attempt(`return open(${JSON.stringify(process.execPath)}, "rb").read(4)`)).toMatch(
        /Error$/,
      );
      expect(await attempt('return open("/etc/shadow").read()')).toMatch(/Error$/);
    });

    it("hides the host's environment", async () => {
      const environment = JSON.stringify(await readValue("import os\ndict(os.environ)"));

      expect(environment).not.toMatch(/planted|PATH|HOME/i);
    });

    it("hides the supervisor's memory and environment", async () => {
      expect(await attempt('return open("/proc/1/environ").read()')).toMatch(/Error$/);
      expect(await attempt('return open("/proc/1/mem", "rb").read(1)')).toMatch(/Error$/);
    });

    it("allows writes only in its own folder, which is empty again for the next run", async () => {
      expect(await attempt('return open("/usr/planted", "w").write("x")')).toMatch(/Error$/);
      expect(await attempt('return open("/coordinator/executors/planted", "w").write("x")')).toMatch(
        /Error$/,
      );
      expect(await attempt('return open("/tmp/left", "w").write("x")')).toEqual(["reached", 1]);

      expect(await readValue('import os\nos.listdir("/tmp")')).toEqual([]);
    });

    it("reaches no server of the host", async () => {
      let wasReached = false;
      const server = createServer(() => {
        wasReached = true;
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const address = server.address();
      const port = typeof address === "object" ? address?.port : 0;

      expect(
        await attempt(`import socket\nreturn str(socket.create_connection(("127.0.0.1", ${port}), 1))`),
      ).toMatch(/Error$/);

      expect(wasReached).toBe(false);
      server.close();
    });

    it("cannot start other programs or processes", async () => {
      expect(await attempt("import os\nreturn os.fork()")).toMatch(/Error$/);
      expect(await attempt('import subprocess\nreturn subprocess.run(["python3", "-V"]).returncode')).toMatch(
        /Error$/,
      );
    });

    it("lets no program impersonate the process of the next one", async () => {
      const forger = `
import json, os, struct
def send(header, body=b""):
    head = json.dumps(header).encode()
    os.write(wire, struct.pack("<II", len(head), len(body)) + head + body)
for wire in (3, 4, 5):
    try:
        for run in range(1, 50):
            send({"type": "done", "run": run, "status": "completed", "hasValue": True}, b'"forged"')
        send({"type": "ready", "proof": "0", "nextProofHash": "0"})
        while True:
            os.read(wire, 65536)
            for run in range(1, 50):
                send({"type": "done", "run": run, "status": "completed", "hasValue": True}, b'"stolen"')
    except OSError:
        pass
`;
      // How its own run ends does not matter.
      await executor.run(toPythonJob(forger));

      expect(await readValue('"mine"')).toBe("mine");
    });

    it("leaves nothing in the host's folder if the kernel kills it for its memory use", async () => {
      // Allowed more than its container has.
      const limits = { ...defaultLimits, memoryMb: 100_000 };
      const hoard = 'held = []\nwhile True:\n    held.append(b"x" * (1 << 24))';

      expect(await executor.run(toPythonJob(hoard, { limits }))).toMatchObject({ reason: "memory" });

      expect(await readValue("1")).toBe(1);
      expect(existsSync("oom")).toBe(false);
    });

    it("has the data libraries if the image has them, or reports that they are missing", async () => {
      const outcome = await run('import pandas\nint(pandas.DataFrame({"a": [1, 2]}).a.sum())');

      if (outcome.status === "failed") expect(outcome.failure.name).toBe("ModuleNotFoundError");
      else expect(outcome).toMatchObject({ valueJson: "3" });
    });
  },
);
