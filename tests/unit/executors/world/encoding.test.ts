// TextEncoder, TextDecoder, atob and btoa of the sandbox, compared with Node's.
import { describe, expect, it } from "vitest";
import { importWorld } from "./import-world.js";

const world = await importWorld<{
  TextEncoder: typeof TextEncoder;
  TextDecoder: typeof TextDecoder;
  atob: typeof atob;
  btoa: typeof btoa;
}>("encoding.mjs");

const texts = [
  "",
  "plain",
  "ünïcödé",
  "日本語",
  "🙂 and 𝒳",
  "\u0000\u007f\u0080\u07ff\u0800\uffff",
  "lone \ud800 half",
  "\udc00\ud800",
  "\ufeffmark",
];

/** Bytes that are invalid in every way the standard lists. */
const broken = [
  [0x80],
  [0xc0, 0xaf],
  [0xc3],
  [0xe2, 0x82],
  [0xe0, 0x80, 0x80],
  [0xed, 0xa0, 0x80],
  [0xf0, 0x80, 0x80, 0x80],
  [0xf4, 0x90, 0x80, 0x80],
  [0xf5, 0x80, 0x80, 0x80],
  [0xf0, 0x9f, 0x98],
  [0x61, 0xf0, 0x9f, 0x62, 0xe2, 0x28, 0xa1, 0xff],
].map((bytes) => new Uint8Array(bytes));

describe("TextEncoder and TextDecoder", () => {
  it("encode the same bytes as Node", () => {
    for (const text of texts)
      expect([...new world.TextEncoder().encode(text)]).toEqual([...new TextEncoder().encode(text)]);
  });

  it("decode bytes as Node does, including invalid ones", () => {
    const given = [...texts.map((text) => new TextEncoder().encode(text)), ...broken];

    for (const bytes of given)
      expect(new world.TextDecoder().decode(bytes)).toBe(new TextDecoder().decode(bytes));
  });

  it("refuse invalid bytes in fatal mode", () => {
    for (const bytes of broken)
      expect(() => new world.TextDecoder("utf-8", { fatal: true }).decode(bytes)).toThrow(TypeError);
  });

  it("decode a character that is split between chunks", () => {
    const bytes = new TextEncoder().encode("a🙂é");
    const decoder = new world.TextDecoder();
    const parts = [...bytes].map((byte) => decoder.decode(new Uint8Array([byte]), { stream: true }));

    expect(parts.join("") + decoder.decode()).toBe("a🙂é");
  });

  it("decode a megabyte, a view into a buffer, and a buffer", () => {
    const text = "0123456789é".repeat(100_000);
    const bytes = new world.TextEncoder().encode(text);

    expect(new world.TextDecoder().decode(bytes)).toBe(text);
    expect(new world.TextDecoder().decode(bytes.subarray(1, 4))).toBe("123");
    expect(new world.TextDecoder().decode(new Uint8Array([104, 105]).buffer)).toBe("hi");
  });

  it("fill an array as far as whole characters fit", () => {
    const target = new Uint8Array(6);

    expect(new world.TextEncoder().encodeInto("a🙂é", target)).toEqual({ read: 3, written: 5 });
    expect([...target]).toEqual([...new TextEncoder().encode("a🙂"), 0]);
  });

  it("report an unsupported encoding", () => {
    expect(() => new world.TextDecoder("latin1")).toThrow(
      'Cannot decode "latin1": only "utf-8" is supported',
    );
  });
});

describe("btoa() and atob()", () => {
  it("agree with Node in both directions", () => {
    for (const text of ["", "a", "ab", "abc", "\u0000\u00ff\u0080", "sure."]) {
      expect(world.btoa(text)).toBe(btoa(text));
      expect(world.atob(btoa(text))).toBe(text);
    }
    expect(world.atob(" YW Jj\n")).toBe("abc");
    expect(world.atob("YQ")).toBe("a");
  });

  it("refuse what is not Base64 or not bytes", () => {
    for (const text of ["a", "a===", "YQ=a", "Ä", "YQ==="])
      expect(() => world.atob(text)).toThrow(
        expect.objectContaining({ name: "InvalidCharacterError", code: 5 }),
      );
    expect(() => world.btoa("€")).toThrow(expect.objectContaining({ name: "InvalidCharacterError" }));
  });
});
