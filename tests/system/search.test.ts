// A search through the whole coordinator: its results run unchanged, in both languages.
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CoordinatorError } from "../../src/index.js";
import { renderSearch } from "../../src/surfaces/mcp-server/agent-tools/render-search.js";
import { fixturePath } from "../support/fixture-servers.js";
import { type OpenFixture, openFixture } from "../support/open-fixture.js";

let fixture: OpenFixture;
beforeAll(async () => {
  fixture = await openFixture({ all: { command: process.execPath, args: [fixturePath("offers-all")] } });
});
afterAll(() => fixture.close());

const search = (request: Parameters<OpenFixture["coordinator"]["searchTools"]>[0]) =>
  fixture.coordinator.searchTools(request);

describe("searchTools()", () => {
  it("finds a server's tools by the description in the configuration", async () => {
    const described = await openFixture({
      all: {
        command: process.execPath,
        args: [fixturePath("offers-all")],
        description: "Payroll of the zeppelin crew",
      },
    });
    // A search waits for a server only so long.
    await described.coordinator.listTools({ server: "all" });
    const { hits, unmatchedWords } = await described.coordinator.searchTools({ query: "zeppelin payroll" });
    await described.close();
    expect(hits.length).toBeGreaterThan(0);
    expect(unmatchedWords).toEqual([]);
  });

  it("answers with an import, a signature with the result, and a call that runs", async () => {
    const { hits } = await search({ query: "adds two numbers", limit: 1 });
    const [hit] = hits;
    expect(hit).toMatchObject({
      call: "echo.add",
      importLine: 'import { add } from "servers/echo";',
      signature: "add({ a: number; b: number }): { sum: number }",
      resultFrom: "declared",
      example: "await add({ a: 1, b: 1 })",
      isWeak: false,
    });
    const run = await fixture.run(`${hit?.importLine}\nreturn ${hit?.example};`);
    expect(run.value).toEqual({ sum: 2 });
  });

  it("answers for Python on request", async () => {
    const { hits } = await search({ query: "adds two numbers", limit: 1, language: "python" });
    expect(hits[0]).toMatchObject({
      call: "echo.add",
      importLine: "from mcp_tools.echo import add",
      signature: 'add(a: float, b: float) -> {"sum": float}',
      example: "add(a=1, b=1)",
    });
    const full = await search({ query: "adds two numbers", limit: 1, language: "python", detail: "full" });
    expect(full.hits[0]?.declaration).toContain("def add(*, a: float, b: float) -> AddResult:");
  });

  it("returns as much detail as requested", async () => {
    const ask = async (detail: "name" | "summary" | "description" | "full") =>
      (await search({ query: "adds two numbers", limit: 1, detail })).hits[0];
    const name = await ask("name");
    const { query, score, isWeak, call, tool } = name ?? {};
    expect(name).toEqual({ query, score, isWeak, call, tool });
    expect(tool).toEqual({ server: "echo", name: "add", functionName: "add" });
    const summary = await ask("summary");
    expect(summary?.tool.description).toBe("Adds two numbers.");
    expect(summary?.declaration).toBe(undefined);
    expect(await ask("description")).toEqual(summary);
    expect((await ask("full"))?.declaration).toContain(
      "export declare function add(args: AddArguments): Promise<AddResult>",
    );
  });

  it("accepts several queries at once and shows a tool once", async () => {
    const { hits, queries, unmatchedWords } = await search({
      query: ["adds two numbers", "add numbers", "environment variable", "frobnicate"],
    });
    const found = hits.map(({ call }) => call);
    expect(queries).toHaveLength(4);
    expect(new Set(found).size).toBe(found.length);
    expect(hits.find(({ call }) => call === "echo.add")?.query).toBe("adds two numbers");
    expect(hits.some(({ query }) => query === "environment variable")).toBe(true);
    expect(unmatchedWords).toEqual(["frobnicate"]);
  });

  it("applies the limit to each query, and restricts it to the server", async () => {
    expect((await search({ query: "name", limit: 2 })).hits.length).toBeLessThanOrEqual(2);
    const { hits } = await search({ query: "echo text", server: "all", limit: 20 });
    expect(hits.every(({ tool }) => tool.server === "all")).toBe(true);
  });

  it("marks a result type that was learned from answers", async () => {
    await fixture.run("await echo.environment()");
    const { hits } = await search({ query: "names every environment variable", limit: 1 });
    expect(hits[0]).toMatchObject({ signature: "environment(): string[]", resultFrom: "learned" });
  });

  it("refuses a search for nothing", async () => {
    await expect(search({ query: " " })).rejects.toThrow(CoordinatorError);
    await expect(search({ query: [] })).rejects.toThrow(/there is no query/);
    await expect(search({ query: Array.from({ length: 21 }, (_, at) => `q${at}`) })).rejects.toThrow(
      /at most 20/,
    );
  });

  it("costs a model about 80 tokens per result", async () => {
    const result = await search({ query: "text numbers variable error", limit: 5 });
    expect(result.hits).toHaveLength(5);
    expect(countTokens(renderSearch(result))).toBeLessThan(400);
  });
});
