// The declarations of whole servers: compared with golden files, compiled, and used by programs.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { renderServerDeclarations } from "../../../../src/codegen/index.js";
import { hasCorpus, readCorpus, readGoldenCases, toCatalog } from "../../../unit/codegen/catalogs.js";
import { compileStrictly } from "../compile-strictly.js";

const goldenCases = readGoldenCases();

/** Programs against the golden case `everyday`; an expected error that does not come is an error. */
const everydayProgram = `
import shop, { callAnything, create_issue, createIssue, ping } from "./everyday.js";

const made = await createIssue({ owner: "a", repo: "b", title: "c", labels: ["d"], assignee: { login: "e" } });
export const count: number = made.number;
export const address: string | undefined = made.url;
export const state: "open" | "closed" = made.state;
await create_issue({ owner: "a", repo: "b", title: "c" });
await shop.createIssue({ owner: "a", repo: "b", title: "c" });
await shop.create_issue({ owner: "a", repo: "b", title: "c" });
await ping();
await ping({});
await callAnything({ whatever: [1] });
// @ts-expect-error a required argument is missing
await createIssue({ owner: "a", repo: "b" });
// @ts-expect-error an argument has the wrong type
await createIssue({ owner: "a", repo: "b", title: 7 });
// @ts-expect-error an argument is misspelt
await createIssue({ owner: "a", repo: "b", title: "c", lables: [] });
// @ts-expect-error a value is not in the list
await createIssue({ owner: "a", repo: "b", title: "c", priority: "urgent" });
// @ts-expect-error the result has no such field
export const wrong = made.nmuber;
// @ts-expect-error a tool that takes nothing is given something
await ping({ loud: true });
// @ts-expect-error the server has no such tool
await shop.closeIssue({});
// @ts-expect-error an undeclared result has to be looked at first
(await ping()).length;
`;

const unionsProgram = `
import { combine } from "./unions.js";

await combine({ one: { kind: "cash" }, any: null, mixed: -2.5, list: ["a", [1]], all: { a: "x" }, base: { x: 1, y: 2 } });
// @ts-expect-error a card has a number
await combine({ one: { kind: "card" } });
`;

const referencesProgram = `
import { saveTree } from "./references.js";

await saveTree({ root: { value: ["a", ["b"]], children: [{ value: "c", byName: { d: { value: "e" } } }] } });
// @ts-expect-error a value is no number, however deep
await saveTree({ root: { value: "a", children: [{ value: "b", children: [{ value: 7 }] }] } });
`;

describe("renderServerDeclarations()", () => {
  it.each(goldenCases)("writes the golden file of $name", async ({ catalog, expectedFile }) => {
    await expect(renderServerDeclarations({ catalog }).source).toMatchFileSnapshot(expectedFile);
  });

  it("has golden files that compile and that refuse wrong programs", async () => {
    const files = goldenCases.map(({ name, expectedFile }): [string, string] => [
      `${name}.ts`,
      readFileSync(expectedFile, "utf8"),
    ]);
    const programs: [string, string][] = [
      ["everyday-program.ts", everydayProgram],
      ["unions-program.ts", unionsProgram],
      ["references-program.ts", referencesProgram],
    ];
    expect(await compileStrictly(new Map([...files, ...programs]))).toBe("");
  });

  it("reports every place that became unknown, and only those", () => {
    const cases = new Map(
      goldenCases.map(({ name, catalog }) => [name, renderServerDeclarations({ catalog })]),
    );
    expect(cases.get("everyday")?.fallbacks).toEqual([]);
    expect(cases.get("references")?.fallbacks).toEqual([]);
    const lines = cases
      .get("degraded")
      ?.fallbacks.map(({ tool, path, reason }) => `${tool} ${path}: ${reason}`);
    expect(lines).toMatchInlineSnapshot(`
      [
        "not_a_schema inputSchema: not a schema",
        "a_list inputSchema: not a schema",
        "not_an_object inputSchema: not an object",
        "always inputSchema: the schema allows anything",
        "always outputSchema: the schema allows anything",
        "never inputSchema: the schema allows nothing",
        "never inputSchema: not an object",
        "never outputSchema: the schema allows nothing",
        "is_itself inputSchema#: a type that refers only to itself",
        "loops inputSchema#/$defs/A: a type that refers only to itself",
        "loops inputSchema#/$defs/B: a type that refers only to itself",
        "parts inputSchema/properties/noType: the schema names no type",
        "parts inputSchema/properties/anything: the schema allows anything",
        "parts inputSchema/properties/nothing: the schema allows nothing",
        "parts inputSchema/properties/emptyEnum/enum: an empty list of values",
        "parts inputSchema/properties/strangeType: not a type of JSON Schema",
        "parts inputSchema/properties/noItems/items: items are not declared",
        "parts inputSchema/properties/remote: a reference outside the schema",
        "parts inputSchema/properties/nowhere: a reference that cannot be resolved",
        "parts inputSchema/properties/inherited: a reference that cannot be resolved",
        "parts inputSchema/properties/literalObject/const: a literal that is an object or array",
        "parts inputSchema/properties/badUnion: the schema names no type",
        "parts inputSchema/properties/number: not a schema",
        "parts inputSchema/properties/null: not a schema",
        "parts inputSchema/required/undeclared: required but not declared",
      ]
    `);
  });

  it("reports only visible characters", () => {
    const properties = { "a\n\u001b[31m\u202eb": {}, ["x".repeat(5000)]: {} };
    const catalog = toCatalog("shop", [{ name: "t", inputSchema: { type: "object", properties } }]);
    const paths = renderServerDeclarations({ catalog }).fallbacks.map(({ path }) => path);
    expect(paths[0]).toBe("inputSchema/properties/a[31mb");
    expect(paths[1]?.length).toBeLessThanOrEqual(300);
  });

  it("reads each definition once if definitions refer to each other", () => {
    const names = Array.from({ length: 40 }, (_, index) => `p${index}`);
    const definitions = names.map((name, index) => {
      const later = names.slice(index + 1).map((other) => ({ $ref: `#/$defs/${other}` }));
      return [name, later.length > 0 ? { allOf: later } : { type: "object", properties: {} }];
    });
    const inputSchema = { $ref: "#/$defs/p0", $defs: Object.fromEntries(definitions) };
    const { source, fallbacks } = renderServerDeclarations({
      catalog: toCatalog("shop", [{ name: "t", inputSchema }]),
    });
    expect(source.match(/^export type /gm)).toHaveLength(41);
    expect(fallbacks).toEqual([]);
  });

  it("degrades only a schema that is nested a hundred thousand levels deep", () => {
    const deep = JSON.parse(`${'{"items":'.repeat(100_000)}{}${"}".repeat(100_000)}`) as { items: unknown };
    const catalog = toCatalog("shop", [
      {
        name: "deep",
        inputSchema: { type: "object", properties: { deep, list: { type: "string", default: deep } } },
      },
      { name: "fine", inputSchema: { type: "object", properties: { a: { type: "string" } } } },
    ]);
    const { source, fallbacks } = renderServerDeclarations({ catalog });
    expect(fallbacks.map(({ tool, reason }) => `${tool}: ${reason}`)).toEqual([
      "deep: nested deeper than 40 levels",
    ]);
    expect(source).toContain("export declare function fine(args?: FineArguments): Promise<unknown>;");
  });
});

describe("renderServerDeclarations() of the corpus", () => {
  it("writes a deterministic module that compiles for every server", {
    timeout: 120_000,
  }, async ({ skip }) => {
    skip(!hasCorpus, "the corpus of real servers is not beside the checkout (../shared/corpus)");
    const catalogs = readCorpus();
    const written = catalogs.map((catalog) => renderServerDeclarations({ catalog }));
    const again = readCorpus().map((catalog) => renderServerDeclarations({ catalog }));
    expect(again.map(({ source }) => source)).toEqual(written.map(({ source }) => source));
    const tools = catalogs.reduce((sum, catalog) => sum + catalog.tools.length, 0);
    const fallbacks = written.flatMap((declarations) => declarations.fallbacks);
    console.log(`${catalogs.length} servers, ${tools} tools, ${fallbacks.length} places became unknown`);
    expect(tools).toBeGreaterThan(5000);
    expect(fallbacks.length / tools).toBeLessThan(0.1);
    const files = written.map(({ source }, index): [string, string] => [`server-${index}.ts`, source]);
    expect(await compileStrictly(new Map(files))).toBe("");
  });
});
