// Tokens that a server repeats, in streams that are cut at any place.
import { describe, expect, it } from "vitest";
import { createSecretFilter } from "../../../src/upstream/redact.js";

/** The text after it passed the filter in parts of this size. */
const pass = (text: string, secrets: readonly string[], size: number): string => {
  const filter = createSecretFilter(secrets);
  const bytes = Buffer.from(text);
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) parts.push(filter(bytes.subarray(at, at + size)));
  return Buffer.concat([...parts, filter()]).toString("utf8");
};

const token = "ab.abab/abac-token";
const long = `${"header.".repeat(60)}end`;

describe("createSecretFilter()", () => {
  it.each([1, 2, 3, 5, 7, 16, 1000])("finds tokens in parts of %d bytes, and nothing else", (size) => {
    const text = `x ${token} ab.abab/aba ${token}${token} ab.ab é ${JSON.stringify({ token })} ${token.replaceAll("/", "\\/")} ${token.slice(0, -1)}`;
    expect(pass(text, [token], size)).toBe(
      `x [token] ab.abab/aba [token][token] ab.ab é {"token":"[token]"} [token] ${token.slice(0, -1)}`,
    );
  });

  it.each([1, 7, 300, 1000])("removes the whole of a long token in parts of %d bytes", (size) => {
    expect(pass(`a ${long} b "${long}"`, [long], size)).toBe('a [token] b "[token]"');
  });

  it("holds nothing back that cannot be a token", () => {
    const filter = createSecretFilter([token]);
    expect(filter(Buffer.from("data: {}\n\n")).toString()).toBe("data: {}\n\n");
  });

  it("does not change a text that is too short for a token", () => {
    expect(pass("a b c", ["b"], 2)).toBe("a b c");
  });

  it("takes little time for tokens that resemble everything", () => {
    const same = "a".repeat(60_000);
    expect(pass("b".concat("a".repeat(500_000)), [`${same}b`, `b${same}`], 65_536).length).toBeLessThan(20);
  });
});
