// Hidden values are forgotten after a time without use, in memory and in the vault, and their numbers are never given again.
import { describe, expect, it } from "vitest";
import { openHiddenValues } from "../../../../src/coordinator/policies/hidden-values.js";
import type { HiddenKind } from "../../../../src/policy/index.js";
import { openVault } from "../../../../src/store/index.js";

const hour = 3_600_000;
const options = { kinds: new Set<HiddenKind>(["email"]), scope: "", origin: "crm" };

const open = () => {
  const clock = { now: 1_000_000 };
  const vault = openVault({ vault: "memory", stateFolder: "/nowhere", environment: {} } as never);
  const openAgain = () => openHiddenValues({ vault, maxIdleMs: 8 * hour, now: () => clock.now });
  const find = (values: ReturnType<typeof openAgain>) =>
    values.use("default", async (map) => [map.find("email", 1)?.value, map.wasGiven("email", 1)]);
  return { clock, vault, openAgain, find };
};

describe("a hidden value", () => {
  it("is stored while it is used, and removed after a time without use", async () => {
    const { clock, openAgain, find } = open();
    const values = openAgain();
    expect(await values.hide("default", "ann@acme.com", options)).toBe("[EMAIL_1]");
    for (let times = 0; times < 3; times++) {
      clock.now += 7 * hour;
      expect(await find(values)).toEqual(["ann@acme.com", true]);
    }
    clock.now += 8 * hour + 1;
    expect(await find(values)).toEqual([undefined, true]);
    expect(await values.hide("default", "ann@acme.com", options)).toBe("[EMAIL_2]");
  });

  it("is available after a restart, unless it has expired and was removed from the vault", async () => {
    const { clock, vault, openAgain, find } = open();
    await openAgain().hide("default", "ann@acme.com", options);
    clock.now += 7 * hour;
    expect(await find(openAgain())).toEqual(["ann@acme.com", true]);
    clock.now += 9 * hour;
    expect(await find(openAgain())).toEqual([undefined, true]);
    const entries = await Promise.all((await vault.list()).map((name) => vault.read(name)));
    expect(JSON.stringify(entries)).not.toContain("ann@acme.com");
  });
});
