// What every vault must do.
import { describe, expect, it } from "vitest";
import type { Vault } from "../../../src/contracts/index.js";

export interface OpenedVault {
  readonly vault: Vault;
  /** The same vault, as another process would open it. */
  readonly openAgain: () => Vault;
}

export const describeVault = (name: string, open: () => Promise<OpenedVault>): void => {
  describe(name, () => {
    it("returns what was written, even to another reader", async () => {
      const { vault, openAgain } = await open();
      expect(await vault.read("linear")).toBeUndefined();
      await vault.write("linear", { token: "t1", nested: { scopes: ["a", "ü"] } });
      expect((await vault.read("linear"))?.value).toEqual({ token: "t1", nested: { scopes: ["a", "ü"] } });
      expect((await openAgain().read("linear"))?.value).toEqual({
        token: "t1",
        nested: { scopes: ["a", "ü"] },
      });
    });

    it("raises the generation with every write", async () => {
      const { vault } = await open();
      const first = await vault.write("linear", { token: "t1" });
      const second = await vault.write("linear", { token: "t2" });
      expect(second?.generation).toBeGreaterThan(first?.generation ?? Number.POSITIVE_INFINITY);
      expect(await vault.read("linear")).toEqual(second);
    });

    it("writes after a given generation only while it is the current one", async () => {
      const { vault } = await open();
      const first = await vault.write("linear", { token: "t1" }, { after: 0 });
      expect(await vault.write("linear", { token: "other" }, { after: 0 })).toBeUndefined();
      const second = await vault.write("linear", { token: "t2" }, { after: first?.generation });
      expect(await vault.write("linear", { token: "late" }, { after: first?.generation })).toBeUndefined();
      expect(await vault.read("linear")).toEqual(second);
    });

    it("removes a given generation only while it is the current one", async () => {
      const { vault } = await open();
      const first = await vault.write("linear", { token: "t1" });
      await vault.write("linear", { token: "t2" });
      expect(await vault.remove("linear", { generation: first?.generation })).toBe(false);
      expect((await vault.read("linear"))?.value).toEqual({ token: "t2" });
      expect(await vault.remove("linear")).toBe(true);
      expect(await vault.remove("linear")).toBe(false);
      expect(await vault.read("linear")).toBeUndefined();
    });

    it("never repeats a generation after a removal", async () => {
      const { vault } = await open();
      const first = await vault.write("linear", { token: "t1" });
      await vault.remove("linear");
      const second = await vault.write("linear", { token: "t2" });
      expect(second?.generation).not.toBe(first?.generation);
      expect(await vault.remove("linear", { generation: first?.generation })).toBe(false);
    });

    it("lists the names in order", async () => {
      const { vault } = await open();
      expect(await vault.list()).toEqual([]);
      await vault.write("zeta", {});
      await vault.write("../up", {});
      await vault.write("alpha", {});
      expect(await vault.list()).toEqual(["../up", "alpha", "zeta"]);
    });

    it("lets one writer at a time work on a name, and others work on other names", async () => {
      const { vault, openAgain } = await open();
      const other = openAgain();
      const order: string[] = [];
      let release = (): void => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      const first = vault.exclusively("linear", async () => {
        order.push("first begins");
        await held;
        order.push("first ends");
      });
      await expect.poll(() => order).toEqual(["first begins"]);
      const second = other.exclusively("linear", async () => void order.push("second"));
      await other.exclusively("github", async () => void order.push("other name"));
      release();
      await Promise.all([first, second]);
      expect(order).toEqual(["first begins", "other name", "first ends", "second"]);
    });

    it("continues after work that failed", async () => {
      const { vault } = await open();
      await expect(vault.exclusively("linear", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
      expect(await vault.exclusively("linear", async () => 1)).toBe(1);
    });

    it("counts every write of many writers that compare before they write", async () => {
      const { vault, openAgain } = await open();
      await vault.write("count", { value: 0 });
      const add = async (own: Vault): Promise<void> => {
        for (;;) {
          const entry = await own.read("count");
          const value = Number(entry?.value.value) + 1;
          if ((await own.write("count", { value }, { after: entry?.generation })) !== undefined) return;
        }
      };
      await Promise.all([vault, openAgain(), openAgain()].flatMap((own) => [add(own), add(own), add(own)]));
      expect((await vault.read("count"))?.value).toEqual({ value: 9 });
    });
  });
};
