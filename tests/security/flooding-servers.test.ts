// A server that sends unrequested messages: its own calls and those of other servers are answered, and it is not listed again each time.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { fixturePath } from "../support/fixture-servers.js";
import { type OpenFixture, openFixture } from "../support/open-fixture.js";

const count = 100_000;

describe("a flood", () => {
  let fixture: OpenFixture;
  // Each test has its own server: one that floods for ten seconds is disconnected, and starts again with its counts at 0.
  beforeEach(async () => {
    fixture = await openFixture({ floods: { command: process.execPath, args: [fixturePath("floods")] } });
  });
  afterEach(() => fixture.close());

  const call = (tool: string, input = {}) =>
    fixture.coordinator.callTool({ server: "floods", tool, arguments: input });

  test.each(["changes", "logs", "progress", "unknown", "answers", "noise"])(
    "of %s delays neither the server's own calls nor those of others",
    async (kind) => {
      await call("flood", { kind, count });
      for (let at = 0; at < 5; at += 1) {
        expect(await call("add", { a: at, b: 1 })).toBe(String(at + 1));
        expect(
          await fixture.coordinator.callTool({ server: "echo", tool: "add", arguments: { a: at, b: 2 } }),
        ).toEqual({ sum: at + 2 });
      }
    },
    60_000,
  );

  test("of 100,000 changes causes only a few new listings", async () => {
    await call("flood", { kind: "changes", count });
    expect(await call("end")).toBe("over");
    expect(Number(await call("listed"))).toBeLessThan(20);
  });
});
