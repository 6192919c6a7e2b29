// The names under which the tools of many servers are offered together.
import { describe, expect, it } from "vitest";
import { assignNames, fitsTemplate, qualifyAddress, qualifyName } from "../../../src/catalog/index.js";
import type { NamedItem } from "../../../src/contracts/index.js";

const assign = (
  servers: Readonly<Record<string, readonly string[]>>,
  given = new Map<string, NamedItem>(),
  reserved: readonly string[] = [],
) =>
  Object.fromEntries(
    [
      ...assignNames(
        Object.entries(servers).map(([server, names]) => ({ server, prefix: server, names })),
        { qualify: qualifyName, given, reserved: new Set(reserved) },
      ),
    ].map(([name, item]) => [name, `${item.server}.${item.name}`]),
  );

describe("assignNames()", () => {
  it("leaves a unique name bare and qualifies every owner of a shared one", () => {
    expect(assign({ a: ["search", "read"], b: ["search"] })).toEqual({
      a__search: "a.search",
      read: "a.read",
      b__search: "b.search",
    });
  });

  it("forgets only names of the server that lists new ones without end", () => {
    const given = new Map<string, NamedItem>();
    assign({ honest: ["search"], hostile: ["first"] }, given);
    for (let round = 0; round < 3; round++)
      assign({ hostile: Array.from({ length: 4000 }, (_, at) => `tool ${round} ${at}`) }, given);
    expect(given.size).toBeLessThanOrEqual(5001);
    expect(assign({ hostile: ["search"] }, given)).toEqual({ hostile__search: "hostile.search" });
    expect(given.get("search")).toEqual({ server: "honest", name: "search" });
  });

  it("remembers long names by their hash", () => {
    const long = "x".repeat(100_000);
    const given = new Map<string, NamedItem>();
    assign({ a: [long] }, given);
    expect([...given].flat().every((text) => JSON.stringify(text).length < 300)).toBe(true);
    expect(assign({ b: [long] }, given)).toEqual({ [`b__${long}`]: `b.${long}` });
    expect(assign({ a: [long] }, given)).toEqual({ [long]: `a.${long}` });
  });

  it("keeps a bare name with its item when another server offers the same name later", () => {
    const given = new Map<string, NamedItem>();
    assign({ a: ["search"] }, given);
    expect(assign({ a: ["search"], b: ["search"] }, given)).toEqual({
      search: "a.search",
      b__search: "b.search",
    });
  });

  it("never gives a bare name to another server, even when the first one is gone", () => {
    const given = new Map<string, NamedItem>();
    assign({ a: ["search"] }, given);
    expect(assign({ b: ["search"] }, given)).toEqual({ b__search: "b.search" });
  });

  it("does not let a server take the qualified name of another one", () => {
    expect(assign({ evil: ["bank__pay"], bank: ["pay", "read"], other: ["pay"] })).toEqual({
      evil__bank__pay: "evil.bank__pay",
      bank__pay: "bank.pay",
      read: "bank.read",
      other__pay: "other.pay",
    });
  });

  it("keeps qualified names apart that would be equal", () => {
    const names = assign({ a: ["b__c", "x"], a__b: ["c", "x"], other: ["c", "b__c"] });
    expect(new Set(Object.values(names)).size).toBe(6);
    expect(Object.keys(names)).toHaveLength(6);
  });

  it("qualifies names of our own tools", () => {
    expect(assign({ a: ["run_code"] }, new Map(), ["run_code"])).toEqual({ a__run_code: "a.run_code" });
  });

  it("offers a name that a server lists twice once", () => {
    expect(assign({ a: ["search", "search"] })).toEqual({ search: "a.search" });
  });
});

describe("qualifyAddress()", () => {
  it("keeps the scheme of user interfaces", () => {
    expect(qualifyAddress("shop", "ui://cart/view")).toBe("ui://shop/cart/view");
    expect(qualifyAddress("shop", "file:///readme")).toBe("shop+file:///readme");
  });
});

describe("fitsTemplate()", () => {
  it.each([
    ["test://template/{id}/data", "test://template/123/data", true],
    ["test://template/{id}/data", "test://template/123/other", false],
    ["repo://{owner}/{name}", "repo://me/it", true],
    ["file:///{+path}", "file:///a/b/c", true],
    ["test://plain", "test://plain", true],
    ["test://plain", "test://plainer", false],
    ["{a}x{b}x", "xx", true],
    ["ab{x}ba", "aba", false],
  ])("compares %s with %s: %s", (template, address, expected) => {
    expect(fitsTemplate(template, address)).toBe(expected);
  });

  it("takes linear time for a hostile template", () => {
    const template = "{a}x".repeat(20_000);
    expect(fitsTemplate(template, "x".repeat(19_999))).toBe(false);
  });
});
