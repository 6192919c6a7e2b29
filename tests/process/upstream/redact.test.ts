// A definition's values do not appear in a server's output.
import { describe, expect, it } from "vitest";
import { redact } from "../../../src/upstream/redact.js";
import { stdioFixture } from "../../support/fixture-servers.js";

describe("redact()", () => {
  it("replaces a value with its variable's name, the longest value first", () => {
    const definition = stdioFixture("echo", { env: { SHORT: "secret", LONG: "secret-and-more" } });
    expect(redact("a secret, secret-and-more", definition)).toBe("a [SHORT], [LONG]");
  });

  it("does not replace values that are too short to be secrets", () => {
    expect(redact("debug is true", stdioFixture("echo", { env: { A: "true", B: "debug", C: "" } }))).toBe(
      "debug is true",
    );
  });

  it("hides a header's value with and without its scheme", () => {
    const target = { kind: "http", url: "http://x/", headers: { Authorization: "Bearer abc-def" } } as const;
    const definition = { ...stdioFixture("echo"), target };
    expect(redact("got Bearer abc-def; token abc-def; Bearer", definition)).toBe(
      "got [Authorization]; token [Authorization]; Bearer",
    );
  });
});
