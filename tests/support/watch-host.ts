// Fails a security test whose hostile input blocked the host: the tests of that folder run the host in their own process.
import { afterEach, beforeEach, expect } from "vitest";
import { watchEventLoop } from "./event-loop.mjs";

const usualMs = 100;

let watch: ReturnType<typeof watchEventLoop> | undefined;
let maxBlockedMs = usualMs;

/** For a test of bounded input that is parsed in one step. The argument says why. */
export const allowBlocking = (milliseconds: number, _reason: string): void => {
  maxBlockedMs = milliseconds;
};

/** For a test that computes a lot itself after the host has finished. */
export const expectNotBlocked = async (): Promise<void> => {
  const { blockedMs, account } = (await watch?.stop()) ?? { blockedMs: 0, account: "" };
  watch = undefined;
  expect(blockedMs, `the host was blocked: ${account}`).toBeLessThanOrEqual(maxBlockedMs);
};

beforeEach(({ task }) => {
  maxBlockedMs = usualMs;
  watch = task.file.filepath.includes("/tests/security/") ? watchEventLoop() : undefined;
});

afterEach(expectNotBlocked);
