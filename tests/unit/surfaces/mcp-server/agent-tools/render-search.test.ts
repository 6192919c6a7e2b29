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
  purpose: "Creates an issue.",
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
        "// Creates an issue.",
        'import { createIssue } from "servers/github";',
        "createIssue({ title: string }): { number: number }",
        'await createIssue({ title: "Example" })',
      ].join("\n"),
    );
  });

  it("marks what the server declares, what is deprecated, and what was learned", () => {
    const marked = renderSearch({
      ...result,
      hits: [
        { ...hit, effect: "read-only", resultFrom: "learned" },
        { ...hit, effect: "destructive" },
        { ...hit, isDestructive: true, isDeprecated: true },
      ],
    });
    expect(marked).toContain("// [read-only] Creates");
    expect(marked).toContain("// result learned from answers");
    expect(marked).toContain("// [destructive] Creates");
    expect(marked).toContain("// [deprecated] Creates");
  });

  it("says that a result is not known yet, and what the description says of it", () => {
    const unknown = { ...hit, resultFrom: "unknown" } as const;
    expect(renderSearch({ ...result, hits: [unknown] })).toContain("// result not known yet: print it once");
    expect(renderSearch({ ...result, hits: [{ ...unknown, returns: "a list of issues" }] })).toContain(
      "// result not known yet, described as: a list of issues",
    );
  });

  it("shows weak hits by name only, except the best one if there is no other", () => {
    const other = { ...hit, call: "github.closeIssue", isWeak: true };
    expect(renderSearch({ ...result, hits: [hit, other, other] })).toMatch(
      /\n\n\/\/ weak matches: github\.closeIssue, github\.closeIssue$/,
    );
    const weak = renderSearch({ ...result, hits: [{ ...other, declaration: "declare" }, other] });
    expect(weak).toMatch(/^\/\/ No tool fits well\. The nearest:\n\n\/\/ \[weak match\] Creates an issue\./);
    expect(weak).toContain("createIssue({ title: string })");
    expect(weak).not.toContain("declare");
    expect(weak).toMatch(/\n\n\/\/ weak matches: github\.closeIssue$/);
  });

  it("refers to a hit of an earlier query by name", () => {
    const label = { ...hit, query: "label", call: "github.addLabel", score: 0.8 };
    const text = renderSearch({
      ...result,
      queries: ["make issue", "label"],
      hits: [{ ...hit, alsoFor: [{ query: "label", score: 1 }] }, label],
    });
    expect(text).toContain("// label:\n// github.createIssue: see above\n\n// Creates an issue.");
  });

  it("says which names no tool has", () => {
    const unknownNames = [{ name: "git.log", near: ["git.gitLog"] }];
    expect(renderSearch({ ...result, queries: [], hits: [], unknownNames })).toBe(
      'No tool is named "git.log"; similar: git.gitLog',
    );
  });

  it("keeps a description on one line, whatever it contains", () => {
    const purpose = "Reads\r\na file\u2028import evil\u202e.";
    const [first] = renderSearch({ ...result, hits: [{ ...hit, purpose }] }).split("\n");
    expect(first).toBe("// Reads a file import evil .");
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

  it("groups hits by the query that found them, and reports a query that found nothing", () => {
    const text = renderSearch({ ...result, queries: ["make issue", "open ticket"] });
    expect(text).toMatch(/^\/\/ make issue:\n\/\/ Creates/);
    expect(text).toMatch(/\n\n\/\/ open ticket: nothing found$/);
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
        "Not searched: down (it does not answer)",
        'Nothing found for "make issue" among 9 tools. Try other words.',
        "No tool has these words: isue (near: issue), frobnicate",
      ].join("\n\n"),
    );
  });

  it("reports only the state of the servers if no tool is known", () => {
    const text = renderSearch({
      ...result,
      hits: [],
      total: 0,
      unmatchedWords: ["issue"],
      unavailable: [
        { server: "fs", reason: "its package is being installed", isInstalling: true },
        { server: "git", reason: "it is still starting", isStarting: true },
      ],
    });
    expect(text).toMatch(/^No tool is known yet, so nothing was searched\.\n\n1 server is still starting/);
    expect(text).toContain("Still being installed, and not searched: fs. Search again in a moment");
    expect(text).not.toMatch(/Nothing found|Try other words|has these words/);
  });
});
