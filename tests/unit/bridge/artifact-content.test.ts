// An artifact is guest text: hostile names and contents are read in linear time.
import { describe, expect, test } from "vitest";
import { toArtifactContent } from "../../../src/bridge/artifact-content.js";

describe("toArtifactContent()", () => {
  test.each(["a.__proto__", "a.constructor", "a.toString", "a.hasOwnProperty"])(
    "treats %s as plain text, because its extension is not a known file type",
    (name) => {
      expect(toArtifactContent([name, "x"])).toMatchObject({ mimeType: "text/plain" });
    },
  );

  test("reads the type from the file name's extension, regardless of case", () => {
    expect(toArtifactContent(["chart.PNG", { base64: "AAAA" }])).toMatchObject({ mimeType: "image/png" });
    expect(toArtifactContent(["png", "x"])).toMatchObject({ mimeType: "text/plain" });
  });

  // A backtracking check takes minutes for this text; the runner's timeout is what would fail.
  test("checks Base64 of two million spaces in one pass", () => {
    const spaces = " ".repeat(2_000_000);
    expect(toArtifactContent(["a.bin", { base64: `AAAA${spaces}` }])).toMatchObject({ format: "bytes" });
    expect(() => toArtifactContent(["a.bin", { base64: `${spaces}!` }])).toThrow("not Base64");
  });

  test.each(["AAA=", "AA==", "AA == \n", "AA\nAA", ""])("accepts %j as Base64", (text) => {
    expect(toArtifactContent(["a.bin", { base64: text }])).toMatchObject({ format: "bytes" });
  });

  test.each(["A===", "A=A=", "=A", "a-b"])("refuses %j as Base64", (text) => {
    expect(() => toArtifactContent(["a.bin", { base64: text }])).toThrow("not Base64");
  });
});
