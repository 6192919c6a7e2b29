// A lock belongs to its holder for as long as the holder lives, also on systems without /proc.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { startNeglected, zombieObstacle } from "../../../support/zombie.js";

/** The modules as they work where `ps` is the only source. */
const openWithPs = async () => {
  const { platform } = process;
  onTestFinished(() => {
    Object.defineProperty(process, "platform", { value: platform });
  });
  Object.defineProperty(process, "platform", { value: "darwin" });
  vi.resetModules();
  const { ownIdentity, readFromPs } = await import("../../../../src/processes/index.js");
  const { withLock } = await import("../../../../src/store/index.js");
  const folder = mkdtempSync(join(tmpdir(), "mcp-locks-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return { ownIdentity, readFromPs, withLock, folder };
};

const twoMinutesAgo = () => Date.now() / 1000 - 120;

describe.skipIf(zombieObstacle !== undefined)(`withLock() without /proc ${zombieObstacle ?? ""}`, () => {
  it("does not take an old lock whose holder is alive, and takes that of a reused process id", async () => {
    const { ownIdentity, readFromPs, withLock, folder } = await openWithPs();
    const holder = await startNeglected("sh", "-c", "echo started; exec sleep 600");
    const hold = (startedAt: string | undefined): string => {
      const locks = join(folder, String(startedAt));
      mkdirSync(locks);
      const file = join(locks, "1.lock");
      writeFileSync(file, JSON.stringify({ ...ownIdentity(), pid: holder.pid, startedAt }));
      utimesSync(file, twoMinutesAgo(), twoMinutesAgo());
      return locks;
    };
    const take = (locks: string): Promise<string> => withLock(locks, () => "taken", { waitMs: 300 });

    const alive = (await readFromPs(holder.pid))?.startedAt;
    await expect(take(hold(alive))).rejects.toMatchObject({ code: "STORE_BUSY" });
    expect(await take(hold("1"))).toBe("taken");
  });

  it("writes the start time of this process into its first lock", async () => {
    const { readFromPs, withLock, folder } = await openWithPs();

    const text = await withLock(folder, () => readFileSync(join(folder, "1.lock"), "utf8"));

    expect(JSON.parse(text)).toMatchObject({ startedAt: (await readFromPs(process.pid))?.startedAt });
  });
});
