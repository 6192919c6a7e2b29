// What callers learn from a description.
import { describe, expect, it } from "vitest";
import { describePurposes, isDeprecated, readReturns } from "../../../src/catalog/index.js";

const toDescribed = (description: string) => ({ name: "tool", description });

describe("describePurposes()", () => {
  it("uses the first sentence, cut to a line", () => {
    const tool = toDescribed(`Lists\n issues. ${"More. ".repeat(9)}`);
    expect(describePurposes([tool]).get(tool)).toBe("Lists issues.");
    const long = toDescribed("word ".repeat(100));
    expect(describePurposes([long]).get(long)?.length).toBeLessThanOrEqual(80);
  });

  it("adds the sentence that distinguishes two similar tools", () => {
    const old = toDescribed(
      "Read the complete contents of a file as text. DEPRECATED: Use read_text_file instead.",
    );
    const text = toDescribed(
      "Read the complete contents of a file from the file system as text. Only works within allowed directories. Use head to read only the first lines.",
    );
    const media = toDescribed("Read an image or audio file. Only works within allowed directories.");
    const purposes = describePurposes([old, text, media]);
    expect(purposes.get(old)).toContain("DEPRECATED: Use read_text_file instead.");
    expect(purposes.get(text)).toContain("Only works within allowed directories.");
    expect(purposes.get(media)).toBe("Read an image or audio file.");
  });
});

describe("describePurposes() of one tool", () => {
  it("includes the warning of a deprecated one, even without a similar tool", () => {
    const old = toDescribed("Reads a file. Fast. DEPRECATED: Use read_text_file instead.");
    expect(describePurposes([old]).get(old)).toBe("Reads a file. DEPRECATED: Use read_text_file instead.");
  });

  it("is not cut before the words that distinguish it from a similar tool", () => {
    const start = "Get a detailed listing of all files and directories in a specified path";
    const [plain, sized] = [toDescribed(`${start}.`), toDescribed(`${start}, including sizes.`)];
    expect(describePurposes([plain, sized]).get(sized)).toBe(`${start}, including sizes.`);
  });
});

describe("readReturns()", () => {
  it.each([
    ["Runs a query. Returns a list of rows, one per match. Fast.", "a list of rows, one per match"],
    ["Reads it.\n\nReturns:\n    A dictionary with the sheet names\n", "A dictionary with the sheet names"],
    ["Creates a file.", undefined],
  ])("reads what %j says about the result", (description, expected) => {
    expect(readReturns(toDescribed(description))).toBe(expected);
  });
});

describe("isDeprecated()", () => {
  it.each([
    ["DEPRECATED: use another.", true],
    ["Reads. This tool is deprecated.", true],
    ["[Deprecated] Reads.", true],
    ["Finds uses of deprecated functions.", false],
  ])("of %j is %j", (description, expected) => {
    expect(isDeprecated(toDescribed(description))).toBe(expected);
  });
});
