// What is accepted beyond JSON, and how errors are reported.
import { describe, expect, it } from "vitest";
import { findJsonMistake, parseJson } from "../../../src/config/parse-json.js";

describe("parseJson()", () => {
  it("reads comments, trailing commas and a byte order mark", async () => {
    const text = '\ufeff{\n  // one\n  "a": [1, 2,], /* two */\n  "b": { "c": null, },\n}';
    expect(await parseJson(text, "mcp.json")).toEqual({ a: [1, 2], b: { c: null } });
  });

  it("refuses values that are nested too deeply", async () => {
    await expect(parseJson(`${"[".repeat(200_000)}// a comment`, "mcp.json")).rejects.toMatchObject({
      code: "CONFIG_UNREADABLE",
    });
  });

  it.each([
    ['{ "a": 1\n  "b": 2 }', 2, 3, '","'],
    ['{\n  "a" 1 }', 2, 7, '":"'],
    ['{ "a": [1, 2 }', 1, 14, '","'],
    ['{ "a": 1', 1, 9, '"}"'],
    ["", 1, 1, "a value"],
    ["{ 'a': 1 }", 1, 3, "names and strings in double quotes"],
    ['{ "a": 1 } { }', 1, 12, "the end of the file"],
    ["not JSON", 1, 1, "names and strings in double quotes"],
    ['{ "a": "line\n" }', 1, 8, "the closing double quote"],
  ])("names the position and what was expected in %j", async (text, line, column, wanted) => {
    await expect(parseJson(text, "mcp.json")).rejects.toMatchObject({
      code: "CONFIG_UNREADABLE",
      message: expect.stringContaining(
        `Cannot read configuration "mcp.json": invalid JSON at line ${line}, column ${column}, expected ${wanted}`,
      ),
      details: { source: "mcp.json", line, column },
    });
  });

  it.each([
    ['{\n  "a": { "b": 1 "c": 2 }\n}', '2 |   "a": { "b": 1 "c": 2 }\n  |                 ^'],
    ['{\n\t"a" 1\n}', '2 |  "a" 1\n  |      ^'],
    ['{ "a": {', '1 | { "a": {\n  |         ^'],
    [
      `{ "${"x".repeat(100)}" 1, "y": "${"z".repeat(100)}" }`,
      `1 | ${"x".repeat(38)}" 1, "y": "${"z".repeat(21)}\n  | ${" ".repeat(40)}^`,
    ],
  ])("shows the line of %j with a caret below the mistake", async (text, pointer) => {
    await expect(parseJson(text, "mcp.json")).rejects.toMatchObject({ details: { pointer } });
    expect(await findJsonMistake(text)).toMatchObject({ pointer });
  });

  it.each(['{ "__proto__": { "command": "x" } }', '{ "__proto__": { "command": "x" }, }'])(
    "never lets %j change a prototype",
    async (text) => {
      const value = (await parseJson(text, "mcp.json")) as Record<string, unknown>;
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
      expect(value.command).toBeUndefined();
    },
  );

  it.each([
    ["deep JSON", "[".repeat(200) + "]".repeat(200)],
    ["deep JSON with comments", `${"[".repeat(200_000)}${"]".repeat(200_000)} // more`],
    ["nesting that a quote in a comment hides", `/* " */ ${'{"a":'.repeat(100_000)}`],
    ["a text without end", " ".repeat(5_000_000)],
  ])("refuses %s with an error code", async (_name, text) => {
    await expect(parseJson(text, "mcp.json")).rejects.toMatchObject({ code: "CONFIG_UNREADABLE" });
  });

  it("does not repeat the file's content, which may hold secrets", async () => {
    const failure: Error = await parseJson('{ "token": "s3cret" "x" }', "mcp.json").then(
      () => expect.unreachable(),
      (thrown) => thrown,
    );
    expect(failure.message).not.toContain("s3cret");
  });
});
