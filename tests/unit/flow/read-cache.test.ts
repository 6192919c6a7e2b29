// The read cache: answers are valid for a time, for one key, until the server is written to.
import { describe, expect, it } from "vitest";
import { openReadCache } from "../../../src/flow/read-cache.js";

const open = () => {
  const clock = { now: 0 };
  const cache = openReadCache<string>(() => clock.now);
  let calls = 0;
  const read = async (key: string, options: { ttl?: number; result?: () => Promise<string> } = {}) =>
    cache.read(
      {
        server: "crm",
        key,
        ttlMs: (result) => (result === "error" ? undefined : (options.ttl ?? 100)),
        measure: (result) => result.length,
      },
      async () => {
        calls++;
        return (await options.result?.()) ?? `answer ${calls}`;
      },
    );
  return { clock, cache, read, calls: () => calls };
};

describe("the read cache", () => {
  it("answers an equal read until the entry expires", async () => {
    const { clock, read } = open();
    expect(await read("a")).toEqual({ result: "answer 1", isCached: false });
    clock.now = 99;
    expect(await read("a")).toEqual({ result: "answer 1", isCached: true });
    expect(await read("b")).toEqual({ result: "answer 2", isCached: false });
    clock.now = 100;
    expect(await read("a")).toEqual({ result: "answer 3", isCached: false });
  });

  it("never caches an error, and makes each call that waited for one", async () => {
    const { read, calls } = open();
    await Promise.all([1, 2, 3].map(() => read("a", { result: async () => "error" })));
    expect(calls()).toBe(3);
    const failing = { result: () => Promise.reject(new Error("gone")) };
    await Promise.allSettled([read("b", failing), read("b")]);
    expect(calls()).toBe(5);
    expect((await read("b")).isCached).toBe(false);
  });

  it("makes one call for equal concurrent reads", async () => {
    const { read, calls } = open();
    const answers = await Promise.all([1, 2, 3].map(() => read("a")));
    expect(answers.map(({ isCached }) => isCached)).toEqual([false, true, true]);
    expect(calls()).toBe(1);
  });

  it("invalidates the answers of a server that is written to, including those of reads in progress", async () => {
    const { cache, read } = open();
    await read("a");
    const { promise, resolve } = Promise.withResolvers<string>();
    const slow = read("b", { result: () => promise });
    await cache.write("crm", async () => {});
    resolve("old");
    await slow;
    expect((await read("a")).isCached).toBe(false);
    expect((await read("b")).isCached).toBe(false);
  });

  it("does not cache what was read during a write", async () => {
    const { cache, read } = open();
    await cache.write("crm", async () => void (await read("a")));
    expect((await read("a")).isCached).toBe(false);
  });

  it("keeps the answers of other servers", async () => {
    const { cache, read } = open();
    await read("a");
    await cache.write("mail", async () => {});
    expect((await read("a")).isCached).toBe(true);
  });

  it("caches no large answer, and a bounded number in total", async () => {
    const { read } = open();
    await read("large", { result: async () => "x".repeat(2 ** 21) });
    expect((await read("large", { result: async () => "x" })).isCached).toBe(false);
    await read("first");
    for (let at = 0; at < 100; at++) await read(`key ${at}`, { result: async () => "x".repeat(1_000_000) });
    expect((await read("first")).isCached).toBe(false);
  });
});
