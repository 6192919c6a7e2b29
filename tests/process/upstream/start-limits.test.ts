// Few servers start at once, failed ones are not retried for a while, and idle ones end.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openStartFailures } from "../../../src/store/index.js";
import { stdioFixture } from "../../support/fixture-servers.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { openTestUpstreams, textOf } from "../../support/test-upstreams.js";

const timeouts = { idleTimeoutMs: 50 };

describe("an idle server", () => {
  it("ends after the timeout and restarts with the next call", async () => {
    const upstreams = await openTestUpstreams({ definitions: [stdioFixture("echo", { timeouts })] });
    const readPid = async () => textOf(await upstreams.call({ server: "echo", tool: "pid", arguments: {} }));
    const first = await readPid();
    await expect.poll(() => upstreams.status("echo").state).toBe("idle");
    const isAlive = (): boolean => {
      try {
        return process.kill(Number(first), 0);
      } catch {
        return false;
      }
    };
    await expect.poll(isAlive).toBe(false);
    expect(await readPid()).not.toBe(first);
    expect(upstreams.status("echo").startedCount).toBe(2);
  });

  it("does not end during a call, nor after a call of a session", async () => {
    const names = ["busy", "session", "idle"];
    const definitions = names.map((name) => stdioFixture("echo", { name, timeouts }));
    const upstreams = await openTestUpstreams({ definitions });
    const call = { tool: "pid", arguments: {} };
    await upstreams.call({ ...call, server: "session", isSession: true });
    const busy = upstreams.call({ server: "busy", tool: "slow", arguments: { ms: 1500 } });
    await upstreams.call({ ...call, server: "idle" });
    await expect.poll(() => upstreams.status("idle").state).toBe("idle");
    expect(upstreams.status("session").state).toBe("ready");
    expect(textOf(await busy)).toBe("waited 1500");
    expect(upstreams.status("busy").startedCount).toBe(1);
  });
});

it("the number of concurrent starts is limited, and a server that a call needs comes first", async () => {
  const file = join(await temporaryFolder(), "release");
  const waiting = ["first", "second", "third"].map((name) =>
    stdioFixture("waits-for-file", { name, args: ["--file", file] }),
  );
  const upstreams = await openTestUpstreams({ definitions: waiting, maxStarts: 1 });
  const countStarted = () => waiting.map(({ name }) => upstreams.status(name).startedCount);
  const order: string[] = [];
  const note = (name: string) => () => void order.push(name);
  // Reads the cache first, so that nothing slow lies between a request and its place in the queue.
  for (const { name } of waiting) await upstreams.peek(name);
  const works = [upstreams.list("first").then(note("first"))];
  await expect.poll(countStarted, { interval: 5 }).toEqual([1, 0, 0]);
  works.push(
    upstreams.list("second").then(note("second")),
    upstreams.call({ server: "third", tool: "ready", arguments: {} }).then(note("third")),
  );
  await writeFile(file, "");
  await Promise.all(works);
  expect(order).toEqual(["first", "third", "second"]);
});

it("another process does not wait for a server that hung, until its failure is forgotten or its definition changes", async () => {
  const folder = await temporaryFolder();
  const hanging = (connectTimeoutMs: number) => {
    const args = ["--file", join(folder, "never")];
    const definition = stdioFixture("waits-for-file", { args, timeouts: { connectTimeoutMs } });
    return openTestUpstreams({ definitions: [definition], failures: openStartFailures(folder) });
  };
  const server = "waits-for-file";
  const first = await hanging(1000);
  await expect(first.list(server)).rejects.toMatchObject({ code: "UPSTREAM_TIMEOUT" });
  const second = await hanging(1000);
  await expect(second.list(server)).rejects.toMatchObject({ code: "UPSTREAM_TIMEOUT" });
  expect(second.status(server).startedCount).toBe(0);
  const changed = await hanging(1001);
  await expect(changed.list(server)).rejects.toMatchObject({ code: "UPSTREAM_TIMEOUT" });
  expect(changed.status(server).startedCount).toBeGreaterThan(0);
  await second.forgetFailures(server);
  await expect(second.list(server)).rejects.toMatchObject({ code: "UPSTREAM_TIMEOUT" });
  expect(second.status(server).startedCount).toBeGreaterThan(0);
});
