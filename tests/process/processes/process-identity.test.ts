// What /proc and ps say about a process is read the same way whatever its name is.
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { parsePs, parseStat, readFromPs } from "../../../src/processes/index.js";
import { startNeglected, zombieObstacle } from "../../support/zombie.js";

const toStat = (name: string, state: string, threads: number): string =>
  `42 (${name}) ${state} 1 42 42 0 -1 4194560 9 0 0 0 0 0 0 0 20 0 ${threads} 0 777 0 0\n`;

describe("parseStat()", () => {
  it.each(["R", "S", "D", "T", "t", "I"])("counts state %s as alive", (state) => {
    expect(parseStat(toStat("node", state, 1))).toEqual({ isZombie: false, startedAt: "777" });
  });

  it.each(["Z", "X", "x"])("counts state %s as dead", (state) => {
    expect(parseStat(toStat("node", state, 1))).toMatchObject({ isZombie: true });
  });

  it("counts a process as alive while other threads outlive its first one", () => {
    expect(parseStat(toStat("node", "Z", 3))).toMatchObject({ isZombie: false });
  });

  it("is not confused by a program whose name looks like a state", () => {
    expect(parseStat(toStat("a) Z 1 (b", "S", 1))).toEqual({ isZombie: false, startedAt: "777" });
  });

  it("returns nothing for a truncated text", () => {
    expect(parseStat("42 (node) S 1")).toBeUndefined();
  });
});

describe("parsePs()", () => {
  it("reads state and start time, and nothing from an empty answer", () => {
    expect(parsePs("Ss   Mon Nov 16 12:11:34 2026\n")).toEqual({ isZombie: false, startedAt: "1794831094" });
    expect(parsePs("Z+ Mon Nov 16 12:11:34 2026")).toMatchObject({ isZombie: true });
    expect(parsePs("")).toBeUndefined();
  });
});

describe.skipIf(zombieObstacle !== undefined)(`readFromPs() ${zombieObstacle ?? ""}`, () => {
  it("reports a running process as alive and a zombie as dead", async () => {
    const child = await startNeglected("sh", "-c", "echo started; exec sleep 600");
    const before = await readFromPs(child.pid);
    expect(before).toMatchObject({ isZombie: false });

    await child.kill();

    expect(await readFromPs(child.pid)).toEqual({ isZombie: true, startedAt: before?.startedAt });
  });
});

describe.skipIf(zombieObstacle !== undefined)(`isAlive() without /proc ${zombieObstacle ?? ""}`, () => {
  it("is unknown until ps has answered in the background", async () => {
    const { platform } = process;
    onTestFinished(() => {
      Object.defineProperty(process, "platform", { value: platform });
    });
    Object.defineProperty(process, "platform", { value: "darwin" });
    vi.resetModules();
    const { isAlive, ownIdentity } = await import("../../../src/processes/index.js");
    const child = await startNeglected("sh", "-c", "echo started; exec sleep 600");
    const startedAt = (await readFromPs(child.pid))?.startedAt;
    const other = { ...ownIdentity(), pid: child.pid, startedAt };

    expect(isAlive(other)).toBeUndefined();
    await expect.poll(() => isAlive(other)).toBe(true);
    expect(isAlive({ ...other, startedAt: "1" })).toBe(false);
    await child.kill();
    await expect.poll(() => isAlive(other)).toBe(false);
    await expect.poll(() => ownIdentity().startedAt).toBe((await readFromPs(process.pid))?.startedAt);
  });
});
