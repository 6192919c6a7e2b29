// Clients' timeouts in their own units are converted to milliseconds.
import { describe, expect, it } from "vitest";
import { clientTable } from "../../../../src/config/clients/client-table.js";
import { toOwnEntry } from "../../../../src/config/clients/to-own-entry.js";

const timeoutsOf = (name: string, fields: object) => {
  const client = clientTable.find((one) => one.name === name);
  if (client === undefined) throw new Error(`no client ${name}`);
  return toOwnEntry({ command: "x", ...fields }, client).entry.timeouts;
};

describe("the timeout of a client's entry", () => {
  it.each(["cline", "goose"])("is in seconds in %s", (name) => {
    expect(timeoutsOf(name, { timeout: 60 })).toEqual({ callTimeoutMs: 60_000 });
    expect(timeoutsOf(name, { timeout: 1800 })).toEqual({ callTimeoutMs: 1_800_000 });
  });

  it.each(["claude-code", "copilot-cli", "gemini-cli", "kiro"])(
    "is in milliseconds in %s, and is ignored below one second",
    (name) => {
      expect(timeoutsOf(name, { timeout: 60_000 })).toEqual({ callTimeoutMs: 60_000 });
      expect(timeoutsOf(name, { timeout: 60 })).toBeUndefined();
    },
  );

  it.each(["zed", "cursor", "claude-desktop", "lm-studio", "windsurf"])(
    "is interpreted by its size in %s, which has used both units or documents none",
    (name) => {
      expect(timeoutsOf(name, { timeout: 60 })).toEqual({ callTimeoutMs: 60_000 });
      expect(timeoutsOf(name, { timeout: 60_000 })).toEqual({ callTimeoutMs: 60_000 });
    },
  );

  it.each(["opencode", "kilo"])("limits the start in %s, and its newer form has both timeouts", (name) => {
    expect(timeoutsOf(name, { timeout: 5000 })).toEqual({ connectTimeoutMs: 5000 });
    expect(timeoutsOf(name, { timeout: { startup: 5000, request: 9000 } })).toEqual({
      connectTimeoutMs: 5000,
      callTimeoutMs: 9000,
    });
  });

  it("has its unit in the field's name in Codex and Continue", () => {
    expect(timeoutsOf("codex", { startup_timeout_sec: 20, tool_timeout_sec: 90 })).toEqual({
      connectTimeoutMs: 20_000,
      callTimeoutMs: 90_000,
    });
    expect(timeoutsOf("continue", { connectionTimeout: 4000 })).toEqual({ connectTimeoutMs: 4000 });
  });
});
