// A definition's values do not show in what a server says.
import { describe, expect, it } from "vitest";
import { redact } from "../../../src/upstream/redact.js";
import { stdioFixture } from "../../support/fixture-servers.js";

describe("redact()", () => {
  it("puts the variable's name in the place of its value, the longest first", () => {
    const definition = stdioFixture("echo", { env: { SHORT: "secret", LONG: "secret-and-more" } });
    expect(redact("a secret, secret-and-more", definition)).toBe("a [SHORT], [LONG]");
  });

  it("leaves values alone that are too short to be secrets", () => {
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
