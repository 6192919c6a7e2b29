// Fails a security test whose hostile input blocked the host: the tests of that folder run the host in their own process.
import { afterEach, beforeEach, expect } from "vitest";
import { watchEventLoop } from "./event-loop.mjs";

const maxBlockedMs = 100;

let watch: ReturnType<typeof watchEventLoop> | undefined;

beforeEach(({ task }) => {
  watch = task.file.filepath.includes("/tests/security/") ? watchEventLoop() : undefined;
});

afterEach(() => {
  const blockedMs = watch?.stop() ?? 0;
  expect(blockedMs, `the host was blocked for ${Math.round(blockedMs)} ms`).toBeLessThanOrEqual(maxBlockedMs);
});
