// Answers of endpoints: untrusted, in two styles.
import { describe, expect, it } from "vitest";
import { readAnthropicAnswer, readOpenAiAnswer } from "../../../src/models/send-to-model.js";

const choose = (message: unknown, more: object = {}) => ({ choices: [{ message, ...more }] });
const called = (given: unknown, id: unknown = "c") =>
  choose({ tool_calls: [{ id, function: { name: "f", arguments: given } }] });
const deep = `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`;

describe("readOpenAiAnswer()", () => {
  it.each([
    ["a JSON object", '{"a":1}', { a: 1 }],
    ["an object", { a: 1 }, { a: 1 }],
    ["an empty text", "", {}],
    ["no arguments", undefined, {}],
    ["invalid JSON", "{", undefined],
    ["a list", "[1]", undefined],
    ["a number", "7", undefined],
    ["objects nested too deeply", deep, undefined],
  ])("reads the arguments of a call: %s", (_what, given, wanted) => {
    expect(readOpenAiAnswer(called(given), 3).calls).toEqual([{ id: "c", name: "f", arguments: wanted }]);
  });

  it("numbers calls without an id, and replaces what a name may not have", () => {
    const answer = choose({ tool_calls: [{ function: { name: "a b\n" } }, { id: "x y", function: {} }, 7] });
    expect(readOpenAiAnswer(answer, 3).calls.map(({ id, name }) => [id, name])).toEqual([
      ["call_3_0", "a_b_"],
      ["x_y", "unnamed"],
      ["call_3_2", "unnamed"],
    ]);
  });

  it("says that an answer was cut, and leaves the usage out if there is none", () => {
    expect(readOpenAiAnswer(choose({ content: "ab" }, { finish_reason: "length" }), 1)).toEqual({
      text: "ab",
      calls: [],
      isCut: true,
      usage: undefined,
    });
    const usage = { prompt_tokens: "many", completion_tokens: Number.POSITIVE_INFINITY };
    expect(readOpenAiAnswer({ ...choose({ content: 7 }), usage }, 1)).toMatchObject({
      text: "",
      usage: undefined,
    });
  });
});

describe("readAnthropicAnswer()", () => {
  it("joins texts, leaves out other blocks, and counts cached tokens as read", () => {
    const content = [
      { type: "thinking", thinking: "hm" },
      { type: "text", text: "a" },
      { type: "text", text: "b" },
      { type: "tool_use", id: "t", name: "f", input: { a: [1] } },
      { type: "tool_use", name: "g", input: "x" },
      null,
    ];
    const usage = {
      input_tokens: 1,
      cache_creation_input_tokens: 2,
      cache_read_input_tokens: 3,
      output_tokens: 4,
    };
    expect(readAnthropicAnswer({ content, usage, stop_reason: "max_tokens" }, 1)).toEqual({
      text: "ab",
      calls: [
        { id: "t", name: "f", arguments: { a: [1] } },
        { id: "call_1_1", name: "g", arguments: undefined },
      ],
      isCut: true,
      usage: { inputTokens: 6, outputTokens: 4 },
    });
  });
});
