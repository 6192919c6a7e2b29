// How configured server names become identifiers.
import { describe, expect, it } from "vitest";
import { toServerIdentifiers } from "../../../src/catalog/index.js";

const toOne = (name: string): string | undefined => toServerIdentifiers([name]).get(name);

describe("toServerIdentifiers()", () => {
  it.each([
    ["github", "github"],
    ["GitHub", "GitHub"],
    ["my-server", "myServer"],
    ["brave_search", "braveSearch"],
    ["@scope/server.name", "scopeServerName"],
    ["7zip", "_7zip"],
    ["class", "class_"],
    ["Map", "Map_"],
    ["servers", "servers_"],
    ["console", "console_"],
    ["callTool", "callTool_"],
    ["fetch", "fetch"],
    ["__proto__", "proto"],
    ["データ", "データ"],
    ["🎉", "server"],
    ["", "server"],
  ])("writes %j as %s", (name, identifier) => {
    expect(toOne(name)).toBe(identifier);
  });

  it("numbers names that would clash", () => {
    const identifiers = toServerIdentifiers(["a-b", "a.b", "a_b"]);
    expect([...identifiers.values()]).toEqual(["aB", "aB2", "aB3"]);
  });

  it("keeps a name that already is an identifier", () => {
    expect(toServerIdentifiers(["a-b", "aB"]).get("aB")).toBe("aB");
  });

  it("gives every name the same identifier whatever the order of the names", () => {
    const names = ["a.b", "a-b", "aB", "a_b", "A-B", "x"];
    const forward = toServerIdentifiers(names);
    const backward = toServerIdentifiers([...names].reverse());
    for (const name of names) expect(backward.get(name)).toBe(forward.get(name));
  });

  it("never gives two names identifiers that differ only in case, because they become folders", () => {
    const identifiers = [...toServerIdentifiers(["git", "Git", "GIT"]).values()];
    expect(new Set(identifiers.map((identifier) => identifier.toLowerCase())).size).toBe(3);
  });
});
