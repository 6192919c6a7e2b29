// A channel that exists before its guest, with real processes behind it.
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { deferChannel, type GuestChannel, spawnChannel } from "../../../src/executors/host/guest-channel.js";
import { findBubblewrap } from "../../../src/executors/walls/outer-walls.js";
import { rounds } from "../../support/rounds.js";

const echo = (): GuestChannel =>
  spawnChannel({ command: process.execPath, args: ["-e", "process.stdin.pipe(process.stdout)"] });
const later = async <Value>(make: () => Value): Promise<Value> => {
  await new Promise((resolve) => setImmediate(resolve));
  return make();
};
const exitOf = (channel: GuestChannel): Promise<void> => new Promise((resolve) => channel.onExit(resolve));

describe("deferChannel()", () => {
  it("buffers writes until the guest exists", async () => {
    const channel = deferChannel(later(echo));
    const exit = exitOf(channel);
    channel.input.write("early");

    const [chunk] = await once(channel.output, "data");
    channel.kill();
    await exit;

    expect(String(chunk)).toBe("early");
  });

  it("ends a guest that was killed before it existed", async () => {
    const channel = deferChannel(later(echo));
    const exit = exitOf(channel);
    channel.kill();

    await exit;

    expect(channel.startError?.()).toBeUndefined();
  });

  it("reports why there is no guest", async () => {
    const reason = new Error("no runtime");
    const channel = deferChannel(Promise.reject(reason));
    const exit = exitOf(channel);
    channel.input.write("lost");

    await exit;

    expect(channel.startError?.()).toBe(reason);
    await exitOf(channel);
  });

  it("reports the guest's process once it exists", async () => {
    const opening = later(echo);
    const channel = deferChannel(opening);
    expect(channel.processId()).toBeUndefined();

    const inner = await opening;

    expect(channel.processId()).toBe(inner.processId());
    const exit = exitOf(channel);
    channel.kill();
    await exit;
  });
});

/** The processes with this word on their command line. */
const listProcesses = (word: string): readonly string[] =>
  readdirSync("/proc").filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, "utf8").includes(word);
    } catch {
      return false;
    }
  });

describe("spawnChannel()", () => {
  it("leaves no process behind if it is killed while bubblewrap starts", async ({ skip }) => {
    const bubblewrap = findBubblewrap();
    skip(bubblewrap === undefined, "bubblewrap is not installed");
    const mark = randomUUID();
    const args = ["--die-with-parent", "--new-session", "--unshare-user", "--unshare-all"];
    for (let round = 0; round < rounds(40, 1000); round++) {
      const channel = spawnChannel({
        command: bubblewrap ?? "",
        args: [...args, "--setenv", "MARK", mark, "--ro-bind", "/", "/", "cat"],
      });
      const exit = exitOf(channel);
      await wait(Math.random() * 6);
      channel.kill();
      await exit;
    }
    await expect.poll(() => listProcesses(mark)).toEqual([]);
  });
});
