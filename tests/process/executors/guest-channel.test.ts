// A channel that exists before its guest, with real processes behind it.
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { deferChannel, type GuestChannel, spawnChannel } from "../../../src/executors/host/guest-channel.js";

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
