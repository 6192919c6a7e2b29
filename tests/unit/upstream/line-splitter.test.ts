// Lines are independent of chunks, and a line that is too long does not affect the next.
import { describe, expect, it } from "vitest";
import { createLineSplitter } from "../../../src/upstream/line-splitter.js";

const split = (chunks: readonly (string | Buffer)[], maxLineBytes = 1000) => {
  const lines: string[] = [];
  const tooLong: { head: string; tail: string }[] = [];
  const splitter = createLineSplitter({
    maxLineBytes,
    onLine: (line) => lines.push(line.toString()),
    onTooLong: (ends) => tooLong.push(ends),
  });
  for (const chunk of chunks) splitter.push(Buffer.from(chunk));
  return { lines, tooLong };
};

describe("createLineSplitter()", () => {
  it("splits lines independently of chunk boundaries", () => {
    expect(split(["a", "b\nc", "\n\nd\n", "rest"]).lines).toEqual(["ab", "c", "", "d"]);
  });

  it("keeps a character that is split between chunks", () => {
    const bytes = Buffer.from("é€𝄞\n");
    expect(split([...bytes].map((byte) => Buffer.from([byte]))).lines).toEqual(["é€𝄞"]);
  });

  it("accepts a line of exactly the limit, and discards one that is a byte longer", () => {
    expect(split(["x".repeat(10), "\n"], 10)).toEqual({ lines: ["x".repeat(10)], tooLong: [] });
    expect(split(["x".repeat(11), "\n"], 10).lines).toEqual([]);
  });

  it("reports both ends of a discarded line, and continues with the next", () => {
    const line = `START${"x".repeat(2000)}END`;
    for (const size of [1, 7, 300, 5000]) {
      const text = `before\n${line}\nafter\n`;
      const chunks = text.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
      const { lines, tooLong } = split(chunks, 100);
      expect(lines).toEqual(["before", "after"]);
      expect(tooLong).toHaveLength(1);
      expect(tooLong[0]?.head.startsWith("STARTx")).toBe(true);
      expect(tooLong[0]?.tail.endsWith("xEND")).toBe(true);
      expect(tooLong[0]?.head.length).toBeLessThanOrEqual(256);
      expect(tooLong[0]?.tail.length).toBeLessThanOrEqual(256);
    }
  });
});
