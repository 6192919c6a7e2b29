// A Node process behind walls: what is measured, and what is reported before and after its start.
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { findUrlModule } from "../../../../src/executors/engines/guest-files.js";
import { findIsolateAddon } from "../../../../src/executors/engines/typescript.js";
import { GuestProcess } from "../../../../src/executors/host/guest-process.js";
import { readResidentBytes } from "../../../../src/executors/host/process-usage.js";
import { openWalledNode, type WalledNode } from "../../../../src/executors/walls/walled-node.js";
import { findWallObstacle } from "../../../support/walls.js";

const executors = fileURLToPath(new URL("../../../../src/executors/", import.meta.url));

const openIsolateNode = (): WalledNode => {
  const addon = findIsolateAddon();
  const urlModule = findUrlModule();
  return openWalledNode(() => ({
    walls: "auto",
    isJitless: false,
    flags: ["--no-node-snapshot"],
    file: `${executors}guests/typescript/isolate-child.mjs`,
    readable: [executors, addon, urlModule],
    args: [addon, "64", urlModule],
  }));
};

const obstacle = findWallObstacle(["bubblewrap"]);
const title = `openWalledNode() with bubblewrap${obstacle === undefined ? "" : ` (skipped: ${obstacle})`}`;

describe.skipIf(obstacle !== undefined)(title, () => {
  it("measures the process behind the wall, not the one that put it up", async () => {
    const channel = openIsolateNode().start();
    const starter = channel.processId();
    const guest = new GuestProcess(channel);
    onTestFinished(() => guest.close());
    await guest.ready;

    expect(channel.processId()).not.toBe(starter);
    expect(readResidentBytes(channel.processId())).toBeGreaterThan(20 * 1024 * 1024);
    expect(readResidentBytes(starter)).toBeLessThan(20 * 1024 * 1024);
  });

  it("reports expected walls before the first start and facts after it", async () => {
    const node = openIsolateNode();
    const before = node.describe();
    const guest = new GuestProcess(node.start());
    onTestFinished(() => guest.close());
    await guest.ready;
    const after = node.describe();

    expect(before.gaps.join()).toContain("not started yet");
    expect(after.gaps.join()).not.toContain("not started yet");
    expect(after.walls).toContain("bubblewrap");
  });
});
