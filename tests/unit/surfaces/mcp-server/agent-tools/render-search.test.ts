// What a model reads of a search.
import { describe, expect, it } from "vitest";
import type { SearchHit, SearchResult } from "../../../../../src/coordinator/index.js";
import { renderSearch } from "../../../../../src/surfaces/mcp-server/agent-tools/render-search.js";

const hit: SearchHit = {
  tool: {
    server: "github",
    name: "create_issue",
    functionName: "createIssue",
    description: "Creates an issue. With\nmany\u202e details.",
    isReadOnly: false,
  },
  query: "make issue",
  score: 1,
  isWeak: false,
  call: "github.createIssue",
  importLine: 'import { createIssue } from "servers/github";',
  signature: "createIssue({ title: string }): { number: number }",
  resultFrom: "declared",
  isDestructive: false,
  example: 'await createIssue({ title: "Example" })',
};
const result: SearchResult = {
  queries: ["make issue"],
  hits: [hit],
  unmatchedWords: [],
  near: [],
  total: 9,
  unavailable: [],
};

describe("renderSearch()", () => {
  it("shows purpose, import, signature with result, and a call", () => {
    expect(renderSearch(result)).toBe(
      [
        "// [may write] Creates an issue.",
        'import { createIssue } from "servers/github";',
        "createIssue({ title: string }): { number: number }",
        'await createIssue({ title: "Example" })',
      ].join("\n"),
    );
  });

  it("marks what is read-only, destructive, weak or learned", () => {
    const marked = renderSearch({
      ...result,
      hits: [
        { ...hit, tool: { ...hit.tool, isReadOnly: true }, resultFrom: "learned", isWeak: true },
        { ...hit, isDestructive: true },
      ],
    });
    expect(marked).toContain("[read-only, weak match]");
    expect(marked).toContain("// result learned from answers");
    expect(marked).toContain("[destructive]");
  });

  it("keeps a description on one line, whatever it contains", () => {
    const description = "Reads\r\na file\u2028import evil\u202e.";
    const [first] = renderSearch({ ...result, hits: [{ ...hit, tool: { ...hit.tool, description } }] }).split(
      "\n",
    );
    expect(first).toBe("// [may write] Reads a file import evil .");
  });

  it("shows only names if only names were requested", () => {
    const { tool, query, score, isWeak, call } = hit;
    const names = { tool: { server: tool.server, name: tool.name, functionName: tool.functionName } };
    expect(renderSearch({ ...result, hits: [{ ...names, query, score, isWeak, call }] })).toBe(
      "github.createIssue",
    );
  });

  it("shows declarations if they were requested, up to the size of an answer", () => {
    const full = (name: string, length: number): SearchHit => ({
      ...hit,
      signature: `${name}()`,
      declaration: `declare function ${name}(): Promise<unknown>;${" ".repeat(length)}`,
    });
    const text = renderSearch({ ...result, hits: [full("one", 10), full("two", 50_000), full("three", 1)] });
    expect(text).toContain("declare function one()");
    expect(text).toContain("two()");
    expect(text).not.toContain("declare function two()");
    expect(text.length).toBeLessThan(2000);
  });

  it("groups hits by the query that found them, and reports a query that found nothing new", () => {
    const text = renderSearch({ ...result, queries: ["make issue", "open ticket"] });
    expect(text).toMatch(/^\/\/ make issue:\n\/\/ \[may write\]/);
    expect(text).toMatch(/\n\n\/\/ open ticket: nothing besides the above$/);
  });

  it("reports the words that match nothing", () => {
    const text = renderSearch({
      ...result,
      hits: [],
      unmatchedWords: ["isue", "frobnicate"],
      near: [{ word: "isue", near: ["issue"] }],
      unavailable: [{ server: "down", reason: "it does not answer" }],
    });
    expect(text).toBe(
      [
        'Nothing found for "make issue" among 9 tools. Try other words.',
        "No tool has these words: isue (near: issue), frobnicate",
        "Not searched: down (it does not answer)",
      ].join("\n\n"),
    );
  });
});
