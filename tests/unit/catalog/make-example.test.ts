// Example arguments: plausible, and accepted by the check that every call passes.
import { describe, expect, it } from "vitest";
import { makeExample, validateArguments } from "../../../src/catalog/index.js";
import type { JsonObject, JsonSchema } from "../../../src/contracts/index.js";
import { hasCorpus, readCorpus, readGoldenCases, toTool } from "../codegen/catalogs.js";

const exampleOf = (properties: Record<string, JsonSchema>, required = Object.keys(properties)) =>
  makeExample(toTool({ inputSchema: { type: "object", properties, required } }));

const text = { type: "string" };

describe("makeExample()", () => {
  it("uses a value that the schema offers: a constant, an example, a default, the first of an enum", () => {
    expect(
      exampleOf({
        kind: { const: "order" },
        city: { ...text, examples: ["Lisbon"] },
        unit: { ...text, example: "kg" },
        size: { enum: ["small", "large"] },
        nested: { type: "object", properties: { depth: { type: "integer", default: 3 } } },
      }),
    ).toEqual({ kind: "order", city: "Lisbon", unit: "kg", size: "small", nested: {} });
  });

  it("ignores an offered value that the schema forbids or that is empty", () => {
    expect(exampleOf({ title: { ...text, examples: [7, "", "Report"] } })).toEqual({ title: "Report" });
    expect(exampleOf({ title: { ...text, examples: ["x".repeat(500)] } })).toEqual({ title: "Example" });
  });

  it("writes texts that work on any server by the names of the parameters, and placeholders for the others", () => {
    expect(
      exampleOf({
        owner: text,
        repo: text,
        user_email: text,
        callbackUrl: text,
        fileId: text,
        country_code: text,
        fileAbsolutePath: { ...text, description: "The absolute path of the workbook. Must exist." },
        limit: { type: "integer" },
        ids: { type: "array", items: text },
      }),
    ).toEqual({
      owner: "<owner>",
      repo: "<repo>",
      user_email: "ada@example.com",
      callbackUrl: "https://example.com",
      fileId: "<file id>",
      country_code: "DE",
      fileAbsolutePath: "<absolute path of the workbook>",
      limit: 10,
      ids: ["<id>"],
    });
  });

  it("uses a folder of the server if the parameter or the tool is about folders", () => {
    const inputSchema = { type: "object", properties: { path: text }, required: ["path"] };
    const list = toTool({ name: "list_directory", inputSchema });
    expect(makeExample(list, "/srv/notes")).toEqual({ path: "/srv/notes" });
    expect(makeExample(list)).toEqual({ path: "<path>" });
    const git = { type: "object", properties: { repo_path: text }, required: ["repo_path"] };
    expect(makeExample(toTool({ name: "git_log", inputSchema: git }), "/srv/it")).toEqual({
      repo_path: "/srv/it",
    });
  });

  it("places a file in the folder of the server, unless the path is relative to something else", () => {
    const make = (name: string, properties: Record<string, JsonSchema>, folder: string) =>
      makeExample(
        toTool({ name, inputSchema: { type: "object", properties, required: Object.keys(properties) } }),
        folder,
      );
    expect(make("read_file", { path: text }, "/srv/notes/")).toEqual({ path: "/srv/notes/<file>" });
    expect(make("read_files", { paths: { type: "array", items: text } }, "C:\\notes")).toEqual({
      paths: ["C:\\notes\\<file>"],
    });
    expect(make("move_file", { source: text, destination: text }, "/srv")).toEqual({
      source: "/srv/<source>",
      destination: "/srv/<destination>",
    });
    const relative = { ...text, description: "Path relative to the vault" };
    expect(make("read_note", { path: relative }, "/srv")).toEqual({ path: "<path relative to the vault>" });
    expect(make("get_page", { url_path: text }, "/srv")).toEqual({ url_path: "<url path>" });
  });

  it("leaves out optional arguments", () => {
    expect(exampleOf({ a: text, b: text, c: { ...text, default: "x" } }, ["a", "c"])).toEqual({
      a: "<a>",
    });
    expect(exampleOf({}, [])).toEqual({});
  });

  it("respects formats, bounds, references, unions and conditions", () => {
    const inputSchema = {
      type: "object",
      properties: {
        when: { type: "string", format: "date-time" },
        id: { type: "string", format: "uuid" },
        count: { type: "integer", minimum: 50, maximum: 60 },
        code: { type: "string", minLength: 12 },
        pair: { type: "array", items: { $ref: "#/$defs/Point" }, minItems: 2 },
        either: {
          anyOf: [{ type: "null" }, { type: "object", properties: { name: text }, required: ["name"] }],
        },
      },
      required: ["when", "id", "count", "code", "pair", "either"],
      $defs: { Point: { type: "object", properties: { x: { type: "number" } }, required: ["x"] } },
    };
    const tool = toTool({ inputSchema });
    const example = makeExample(tool) as JsonObject;
    expect(() => validateArguments(tool, example)).not.toThrow();
    expect(example).toMatchObject({ either: { name: "<name>" }, pair: [{ x: 1 }, { x: 1 }] });
    expect(Date.parse(String(example.when))).not.toBeNaN();
  });

  it("ends with a schema that refers to itself, and finds no example for one that nothing fits", () => {
    const endless = { type: "object", properties: { next: { $ref: "#" } }, required: ["next"] };
    expect(() => makeExample(toTool({ inputSchema: endless }))).not.toThrow();
    expect(makeExample(toTool({ inputSchema: { type: "string" } }))).toBe(undefined);
  });

  it("is the same every time", () => {
    const tools = readGoldenCases().flatMap(({ catalog }) => catalog.tools);
    const makeAll = () => tools.map((tool) => makeExample(tool));
    expect(makeAll()).toEqual(makeAll());
  });
});

describe("makeExample() of many tools", () => {
  const check = (tools: readonly Parameters<typeof makeExample>[0][]): number => {
    for (const tool of tools) {
      const example = makeExample(tool);
      expect(example, `${tool.server}.${tool.name}`).toBeDefined();
      expect(() => validateArguments(tool, example ?? {}), `${tool.server}.${tool.name}`).not.toThrow();
    }
    return tools.length;
  };

  it("gives arguments that pass validation for every golden tool", () => {
    const tools = readGoldenCases().flatMap(({ catalog }) => catalog.tools);
    const isCallable = ({ name }: { name: string }) => name !== "not_an_object";
    expect(check(tools.filter(isCallable))).toBeGreaterThan(20);
  });

  it("gives arguments that pass validation for every tool of the corpus", ({ skip }) => {
    skip(!hasCorpus, "the corpus of real servers is not beside the checkout (../shared/corpus)");
    expect(check(readCorpus().flatMap(({ tools }) => tools))).toBeGreaterThan(5000);
  });
});
