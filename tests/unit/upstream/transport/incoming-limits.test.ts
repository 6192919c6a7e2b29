// Lines are independent of chunks, a line that is too long does not affect the next, and its message id is read from its ends only.
import { describe, expect, it } from "vitest";
import {
  createLineSplitter,
  isUnsolicited,
  peekMessageId,
} from "../../../../src/upstream/transport/incoming-limits.js";

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

const peek = (line: string) => peekMessageId({ head: line.slice(0, 256), tail: line.slice(-256) });
const large = "x".repeat(1000);

describe("peekMessageId()", () => {
  it.each([
    [{ jsonrpc: "2.0", id: 5, result: large }, 5],
    [{ id: 5, jsonrpc: "2.0", result: large }, 5],
    [{ result: large, jsonrpc: "2.0", id: 5 }, 5],
    [{ jsonrpc: "2.0", result: large, id: 5 }, 5],
    [{ result: large, id: "a-b", jsonrpc: "2.0" }, "a-b"],
    [{ jsonrpc: "2.0", id: "", result: large }, ""],
  ])("finds the id at either end", (message, id) => {
    expect(peek(JSON.stringify(message))).toBe(id);
  });

  it("ignores white space", () => {
    expect(peek(`{ "jsonrpc" : "2.0" , "id" : 12 , "result": "${large}" }`)).toBe(12);
    expect(peek(`{"result": "${large}", "jsonrpc": "2.0", "id": 12 }\r`)).toBe(12);
  });

  it("does not return an id from inside the result", () => {
    expect(peek(JSON.stringify({ jsonrpc: "2.0", result: { text: large, id: 7 } }))).toBeUndefined();
    expect(peek(JSON.stringify({ result: `${large},"id":7}`, jsonrpc: "2.0" }))).toBeUndefined();
    expect(peek(JSON.stringify({ result: `${large},"id":7}` }))).toBeUndefined();
    expect(peek(`{"result":{"jsonrpc":"2.0","id":7,"text":"${large}"}}`)).toBeUndefined();
  });
});

describe("isUnsolicited()", () => {
  it("distinguishes notifications and requests from answers", () => {
    const is = (message: unknown) => isUnsolicited({ head: JSON.stringify(message).slice(0, 256), tail: "" });
    expect(is({ jsonrpc: "2.0", method: "notifications/message", params: large })).toBe(true);
    expect(is({ method: "notifications/message", params: large })).toBe(true);
    expect(is({ jsonrpc: "2.0", id: 1, result: { method: large } })).toBe(false);
    expect(is({ result: { method: large }, jsonrpc: "2.0", id: 1 })).toBe(false);
  });
});
