// Calls that pass through flow control: they start in order, are retried if that is safe, and fail at once if they could not start in time.
import { describe, expect, it } from "vitest";
import { CoordinatorError } from "../../../src/contracts/index.js";
import { type FlowCall, openFlow } from "../../../src/flow/open-flow.js";
import type { RateLimit } from "../../../src/flow/read-rate-limit.js";
import { matchesGlob } from "../../../src/policy/index.js";

interface Answer {
  readonly limit?: RateLimit;
}
const call = { server: "s", tool: "t", effect: "read", credential: "c", leftMs: () => 60_000 } as const;
const open = (servers: object = {}) => openFlow({ servers, callers: {}, runs: {} } as never, matchesGlob);
const readLimit = ({ limit }: Answer): RateLimit | undefined => limit;
const refused: Answer = { limit: { waitMs: 0, isUnprocessed: true } };

describe("openFlow()", () => {
  it("lets all of many calls succeed if the server accepts only a few at once", async () => {
    const flow = open();
    let inside = 0;
    let count = 0;
    const make = async (): Promise<Answer> => {
      const isTooMany = ++inside > 3 || ++count % 10 === 0;
      await new Promise((resolve) => setTimeout(resolve, 1));
      inside--;
      return isTooMany ? refused : {};
    };
    const answers = await Promise.all(Array.from({ length: 200 }, () => flow.pass(call, make, readLimit)));
    expect(answers.filter(({ limit }) => limit !== undefined)).toEqual([]);
  });

  it("attempts a read five times, and a write once", async () => {
    const flow = open();
    const tries = async (given: FlowCall, answer: Answer): Promise<number> => {
      let made = 0;
      await flow.pass(
        given,
        async () => {
          made++;
          return answer;
        },
        readLimit,
      );
      return made;
    };
    expect(await tries(call, refused)).toBe(5);
    expect(await tries({ ...call, effect: "idempotent" }, refused)).toBe(5);
    expect(await tries({ ...call, effect: "write" }, refused)).toBe(1);
    const repeating = open({ s: { retry: "refused" } });
    const unsure: Answer = { limit: { waitMs: 0, isUnprocessed: false } };
    let made = 0;
    const write = { ...call, effect: "write" } as const;
    await repeating.pass(write, async () => (++made < 3 ? refused : {}), readLimit);
    expect(made).toBe(3);
    await repeating.pass(write, async () => (++made < 9 ? unsure : {}), readLimit);
    expect(made).toBe(4);
  });

  it("shares a pause only between calls with the same account", async () => {
    const flow = open();
    const hour: Answer = { limit: { waitMs: 3_600_000, isUnprocessed: true } };
    await flow.pass({ ...call, effect: "write" }, async () => hour, readLimit);
    await expect(flow.pass(call, async () => ({}), readLimit)).rejects.toMatchObject({
      code: "RATE_LIMITED",
      details: { retryAfterMs: expect.any(Number) },
    });
    expect(await flow.pass({ ...call, credential: "other" }, async () => ({}), readLimit)).toEqual({});
  });

  it("ends the wait of a call that is cancelled", async () => {
    const flow = open({ s: { concurrency: 1 } });
    const { promise, resolve } = Promise.withResolvers<Answer>();
    const first = flow.pass(call, () => promise, readLimit);
    const controller = new AbortController();
    const second = flow.pass({ ...call, signal: controller.signal }, async () => ({}), readLimit);
    controller.abort();
    await expect(second).rejects.toMatchObject({ code: "RUN_CANCELLED" });
    resolve({});
    await first;
    expect(await flow.pass(call, async () => ({}), readLimit)).toEqual({});
  });

  it("frees the slot of a call that fails, and passes on its error", async () => {
    const flow = open({ s: { concurrency: 1 } });
    const failure = new CoordinatorError("UPSTREAM_FAILED", "no");
    for (let count = 0; count < 3; count++)
      await expect(flow.pass(call, () => Promise.reject(failure), readLimit)).rejects.toBe(failure);
  });

  it("does not let calls of a limited tool delay others of the same server", async () => {
    const flow = open({ s: { concurrency: 4 }, "s.search": { rate: "1/h" } });
    const search = { ...call, tool: "search", leftMs: () => 7_200_000 };
    await flow.pass(search, async () => ({}), readLimit);
    const controller = new AbortController();
    const waiting = [1, 2].map(() =>
      flow.pass({ ...search, leftMs: () => 1e9, signal: controller.signal }, async () => ({}), readLimit),
    );
    expect(await flow.pass(call, async () => ({}), readLimit)).toEqual({});
    controller.abort();
    await Promise.allSettled(waiting);
  });
});
