// Search by meaning, with the table that is shipped: what words cannot find is found, and what they find stays first.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { buildSearchIndex, openWordVectors, type SearchableTool } from "../../../src/search/index.js";

const table = Uint8Array.from(
  readFileSync(new URL("../../../src/search/word-vectors.table", import.meta.url)),
).buffer;
const vectors = openWordVectors(table);

const tool = (server: string, name: string, description: string): SearchableTool => ({
  server,
  name,
  description,
  inputSchema: {},
});

const tools: readonly SearchableTool[] = [
  tool("plugins", "KitchenHelper", "Discover recipes and meals for any occasion."),
  tool("plugins", "SkyWatch", "Weather forecasts at your fingertips."),
  tool("plugins", "TuneFinder", "Explore songs, artists and albums."),
  tool("plugins", "CodeMate", "Your companion for pull requests and repositories."),
  tool("plugins", "LegalEagle", "Understand contracts and court decisions."),
  tool("plugins", "create_issue", "Create an issue in a repository"),
  tool("plugins", "report_problem", "Report a bug, ticket or problem of the repository to its developers"),
];
const byMeaning = buildSearchIndex(tools, { vectors });
const byWords = buildSearchIndex(tools);
const find = (query: string) => byMeaning.search(query).hits.map((hit) => hit.tool.name);

describe("search by meaning", () => {
  test.each([
    ["I want to make a chocolate chip cookie. What ingredients do I need?", "KitchenHelper"],
    ["will it rain or snow tomorrow", "SkyWatch"],
    ["listen to jazz bands", "TuneFinder"],
    ["ask an attorney about a lawsuit", "LegalEagle"],
  ])("finds a tool that shares no word with %j", (query, name) => {
    expect(byWords.search(query).hits.filter((hit) => !hit.isWeak)).toEqual([]);
    expect(find(query)[0]).toBe(name);
  });

  test("leaves a tool first whose words fit, however close another one is", () => {
    for (const query of ["create an issue", "create issue", "createIssue"])
      expect(find(query)[0]).toBe("create_issue");
    expect(find("report a problem")[0]).toBe("report_problem");
  });

  test("finds no tool with certainty for an unrelated query", () => {
    const files = [
      tool("files", "read_file", "Read the complete contents of a file"),
      tool("files", "list_directory", "List the files and folders of a directory"),
      tool("files", "move_file", "Move or rename files and directories"),
      tool("math", "add", "Adds two numbers"),
    ];
    const index = buildSearchIndex(files, { vectors });
    for (const query of [
      "send an email",
      "book a flight to Paris",
      "translate a sentence into German",
      "what is the price of bitcoin",
      "turn on the lights in the kitchen",
    ])
      expect(
        index.search(query).hits.filter((hit) => !hit.isWeak),
        query,
      ).toEqual([]);
  });

  test("corrects typos, but not words of the language that no tool has", () => {
    const lines = [
      tool("files", "edit_lines", "Make edits to lines"),
      tool("math", "add", "Adds two numbers"),
    ];
    expect(buildSearchIndex(lines).search("lives").near).toEqual([{ word: "lives", near: ["lines"] }]);
    const index = buildSearchIndex(lines, { vectors });
    expect(index.search("lives").near).toEqual([]);
    expect(index.search("linse").near).toEqual([{ word: "linse", near: ["lines"] }]);
  });

  test("returns nothing for words that have no meaning", () => {
    expect(byMeaning.search("日本語").hits).toEqual([]);
    expect(byMeaning.search("!!!").hits).toEqual([]);
  });
});

describe("openWordVectors()", () => {
  const sum = (words: readonly string[]): Float32Array => {
    const total = new Float32Array(vectors?.dimensions ?? 0);
    for (const word of words) vectors?.add(total, word, 1);
    return total;
  };
  const cosine = (one: Float32Array, other: Float32Array): number => {
    const multiply = (left: Float32Array, right: Float32Array) =>
      left.reduce((total, value, at) => total + value * (right[at] ?? 0), 0);
    return multiply(one, other) / Math.sqrt(multiply(one, one) * multiply(other, other));
  };

  test("puts words of one meaning closer than others", () => {
    const near = cosine(sum(["picture"]), sum(["image"]));
    expect(near).toBeGreaterThan(cosine(sum(["picture"]), sum(["invoice"])) + 0.2);
  });

  test("spells a word that it does not know with pieces", () => {
    expect(sum(["defragmentizer"]).some((value) => value !== 0)).toBe(true);
    expect(sum(["日本"]).every((value) => value === 0)).toBe(true);
  });

  test("assigns no meaning to a long run of letters, whatever is around it", () => {
    expect(sum(["a".repeat(41)]).every((value) => value === 0)).toBe(true);
    expect(byMeaning.search(`日${"a".repeat(7_000)}`).hits).toEqual([]);
  });

  test("refuses a damaged table", () => {
    expect(openWordVectors(new ArrayBuffer(0))).toBeUndefined();
    expect(openWordVectors(table.slice(0, table.byteLength - 1))).toBeUndefined();
    const other = table.slice(0);
    new DataView(other).setUint32(0, 1);
    expect(openWordVectors(other)).toBeUndefined();
    const huge = table.slice(0);
    new DataView(huge).setUint32(4, 0xffffffff, true);
    expect(openWordVectors(huge)).toBeUndefined();
  });

  test("is at most 8 MB", () => {
    expect(table.byteLength).toBeLessThan(8_000_000);
  });
});
