// Decides from printed types whether a value can fit.
import { describe, expect, it } from "vitest";
import { canFit, isPromise } from "../../../../../src/checker/typescript/types/printed-types.js";

describe("canFit()", () => {
  it.each([
    ["number", "string"],
    ['"opened"', '"open" | "closed"'],
    ["true", "string | number"],
    ["string[]", "string"],
    ["string", "string[]"],
    ["Promise<any>", "string"],
    ["Promise<any>", "Filter"],
  ])("says that %s is never %s", (given, wanted) => {
    expect(canFit(given, wanted)).toBe(false);
  });

  it.each([
    ["string", '"open" | "closed"'],
    ["string | number", "string"],
    ["boolean", "true"],
    ["Date", "string"],
    ["any", "string"],
    ["{ a: number }", "string"],
    ["number", "Filter"],
    ['"a | b"', '"a | b"'],
    ["number", "string | number | undefined"],
  ])("says that %s can be %s", (given, wanted) => {
    expect(canFit(given, wanted)).toBe(true);
  });
});

describe("isPromise()", () => {
  it("is true only for a promise", () => {
    expect(isPromise("Promise<{ a: string | number }>")).toBe(true);
    expect(isPromise("Promise<string> | string")).toBe(false);
    expect(isPromise("string | Promise<string>")).toBe(false);
  });
});
