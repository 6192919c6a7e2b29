// How a server's listing becomes Tool records with names and a lookup.
import { describe, expect, it } from "vitest";
import { toServerCatalog } from "../../../src/catalog/index.js";
import type { ListedTool } from "../../../src/contracts/index.js";
import { toListing, toNamedTools } from "./to-listing.js";

const nameAll = (...names: readonly string[]): readonly string[] =>
  toServerCatalog(toListing(toNamedTools(names)), "shop").tools.map(({ functionName }) => functionName);

describe("toServerCatalog()", () => {
  it.each([
    ["create_issue", "createIssue"],
    ["getURL", "getURL"],
    ["URLGet", "urlGet"],
    ["API-post-search", "apiPostSearch"],
    ["GET_USER", "getUser"],
    ["1st", "_1st"],
    ["class", "class_"],
    ["then", "then_"],
    ["constructor", "constructor_"],
    ["获取数据", "获取数据"],
    ["ｃｌａｓｓ", "class_"],
    ["a\u200bb\u202ec", "abc"],
    ["🎉", "tool"],
    ["", "tool"],
  ])("names the function of the tool %j %s", (name, functionName) => {
    expect(nameAll(name)).toEqual([functionName]);
  });

  it("gives different function names to tools whose names would clash", () => {
    const names = nameAll("get-schema", "get.schema", "get schema", "🎉", "🎊", "", "getSchema");
    expect(names).toEqual(["getSchema3", "getSchema4", "getSchema2", "tool2", "tool3", "tool", "getSchema"]);
  });

  it("never gives a tool a function name that is another tool's own name", () => {
    const catalog = toServerCatalog(toListing(toNamedTools(["a-b", "a.b", "aB2"])), "shop");
    expect(catalog.find("aB2")?.name).toBe("aB2");
    expect(new Set(catalog.tools.map(({ functionName }) => functionName)).size).toBe(3);
  });

  it("bounds the length of a function name", () => {
    expect(nameAll("x".repeat(5000))[0]?.length).toBeLessThanOrEqual(80);
  });

  it("gives the same function names whatever the order of the listing", () => {
    const names = ["a-b", "a.b", "a_b", "aB", "A B"];
    const backward = nameAll(...[...names].reverse());
    expect([...backward].reverse()).toEqual(nameAll(...names));
  });

  it("keeps one tool of a name that is listed twice", () => {
    const catalog = toServerCatalog(
      toListing([
        { name: "read", description: "first", inputSchema: {} },
        { name: "read", description: "second", inputSchema: {} },
      ]),
      "shop",
    );
    expect(catalog.tools.map(({ description }) => description)).toEqual(["first"]);
  });

  it("treats a tool as read-only or harmless only if its server says so, as the protocol demands", () => {
    const flags = [
      {},
      { readOnlyHint: false },
      { destructiveHint: false },
      { readOnlyHint: true },
      { destructiveHint: true },
      { readOnlyHint: true, destructiveHint: true },
    ];
    const tools = flags.map((annotations, index) => ({ name: `t${index}`, inputSchema: {}, annotations }));
    const found = toServerCatalog(toListing(tools), "shop").tools;
    expect(found.map(({ isReadOnly }) => isReadOnly)).toEqual([false, false, false, true, false, true]);
    expect(found.map(({ isDestructive }) => isDestructive)).toEqual([true, true, false, false, true, false]);
    // Agents see no labels if a server declares none.
    expect(found.map(({ effect }) => effect)).toEqual([
      undefined,
      "writes",
      "writes",
      "read-only",
      "destructive",
      "read-only",
    ]);
  });
});

describe("find()", () => {
  const catalog = toServerCatalog(
    toListing(toNamedTools(["create_issue", "list-items", "list.items", "Read"])),
    "shop",
  );

  it("finds a tool by its server's name for it and by its function name", () => {
    expect(catalog.find("create_issue")?.name).toBe("create_issue");
    expect(catalog.find("createIssue")?.name).toBe("create_issue");
  });

  it("finds a tool whatever the case and separators when only one fits", () => {
    expect(catalog.find("Create-Issue")?.name).toBe("create_issue");
    expect(catalog.find("READ")?.name).toBe("Read");
  });

  it("finds nothing if two tools fit equally", () => {
    expect(catalog.find("LIST_ITEMS")).toBeUndefined();
  });

  it("finds nothing under an unknown or an inherited name", () => {
    expect(catalog.find("delete")).toBeUndefined();
    expect(catalog.find("toString")).toBeUndefined();
    expect(catalog.find("")).toBeUndefined();
  });
});

describe("fingerprint", () => {
  const base: ListedTool = {
    name: "read",
    description: "Reads",
    inputSchema: { type: "object", properties: { a: { type: "string" }, b: {} } },
  };
  const print = (tool: ListedTool): string | undefined =>
    toServerCatalog(toListing([tool]), "shop").tools[0]?.fingerprint;

  it("is the same whatever the order of the keys", () => {
    const turned = { properties: { b: {}, a: { type: "string" } }, type: "object" };
    expect(print({ inputSchema: turned, description: "Reads", name: "read" })).toBe(print(base));
  });

  it.each<[string, Partial<ListedTool>]>([
    ["title", { title: "Read" }],
    ["description", { description: "Reads all" }],
    ["input schema", { inputSchema: { type: "object" } }],
    ["output schema", { outputSchema: {} }],
    ["annotations", { annotations: { readOnlyHint: true } }],
  ])("changes with the tool's %s", (_what, change) => {
    expect(print({ ...base, ...change })).not.toBe(print(base));
  });

  it("can be computed for a schema that is nested a hundred thousand levels deep", () => {
    const deep: unknown = JSON.parse(`${'{"items":'.repeat(100_000)}{}${"}".repeat(100_000)}`);
    expect(print({ ...base, inputSchema: deep as { items: unknown } })).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe("what a server offers beside its tools", () => {
  it("is described without hidden characters", () => {
    const listing = {
      ...toListing([]),
      resources: [{ uri: "x://\u202egnp\u001b[2J", name: "r" }],
      prompts: [{ name: "p\u202e\u0007" }],
    };
    const { tools } = toServerCatalog(listing, "shop");
    expect(tools.map(({ name }) => name)).toContain("resources.read");
    for (const { description } of tools)
      for (const hidden of ["\u202e", "\u001b", "\u0007"]) expect(description).not.toContain(hidden);
  });
});
