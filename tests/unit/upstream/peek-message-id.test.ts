// The id of a message is read from its ends, never from a tool's content.
import { describe, expect, it } from "vitest";
import { isUnsolicited, peekMessageId } from "../../../src/upstream/line-splitter.js";

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
