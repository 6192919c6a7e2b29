// The words of a command: key=value words as the arguments of a tool, and what a wrong word is answered with.
import { expect, test } from "vitest";
import type { JsonSchema } from "../../../../src/contracts/index.js";
import { misread, readArguments } from "../../../../src/surfaces/cli/read-words.js";

const schema: JsonSchema = {
  type: "object",
  properties: {
    text: { type: "string" },
    count: { type: "integer" },
    either: { type: ["string", "number"] },
    maybe: { anyOf: [{ type: "string" }, { type: "null" }] },
    level: { enum: ["1", "2"] },
    named: { $ref: "#/$defs/Name" },
    list: { type: "array" },
  },
  $defs: { Name: { type: "string" } },
};

const read = (...words: string[]) => readArguments(words, undefined, async () => schema);

test("readArguments() keeps a value as typed if the schema expects a string", async () => {
  expect(await read("text=42", "named=true", "level=1")).toEqual({ text: "42", named: "true", level: "1" });
});

test("readArguments() follows every kind of reference to a string", async () => {
  const referring: JsonSchema = {
    $ref: "#/$defs/Input",
    $defs: {
      Input: {
        properties: {
          encoded: { $ref: "#/$defs/File%20name" },
          composed: { allOf: [{ $ref: "#/$defs/File%20name" }], description: "A name" },
          branch: { $ref: "#/$defs/Either/anyOf/0" },
          inherited: { $ref: "#/constructor" },
        },
      },
      "File name": { type: "string" },
      Either: { anyOf: [{ type: "string" }, { type: "number" }] },
    },
  };
  const words = ["encoded=1", "composed=2", "branch=3", "inherited=4"];
  expect(await readArguments(words, undefined, async () => referring)).toEqual({
    encoded: "1",
    composed: "2",
    branch: "3",
    inherited: 4,
  });
});

test("readArguments() reads numbers, lists and objects if the schema allows them", async () => {
  expect(await read("count=42", "list=[1,2]", "either=7")).toEqual({ count: 42, list: [1, 2], either: 7 });
});

test("readArguments() reads null if the schema allows it next to a string", async () => {
  expect(await read("maybe=null")).toEqual({ maybe: null });
  expect(await read("maybe=12")).toEqual({ maybe: "12" });
});

test("readArguments() reads JSON for a property the schema does not know", async () => {
  expect(await read("other=true", "name=plain")).toEqual({ other: true, name: "plain" });
});

test("readArguments() does not load the schema if every value is clearly a string", async () => {
  const loadSchema = (): Promise<JsonSchema> => Promise.reject(new Error("was asked"));
  expect(await readArguments(["text=a=b", "empty="], undefined, loadSchema)).toEqual({
    text: "a=b",
    empty: "",
  });
});

test("readArguments() prefers words over --arguments", async () => {
  const found = await readArguments(["text=new"], '{"text":"old","count":1}', async () => schema);
  expect(found).toEqual({ text: "new", count: 1 });
});

test("readArguments() treats __proto__ as a plain key", async () => {
  expect(Object.keys(await read("__proto__=x"))).toEqual(["__proto__"]);
});

test.each([
  [["novalue"], '"novalue" has no "=", expected key=value'],
  [["=x"], '"=x" has no key, expected key=value'],
  [["a=1", "a=2"], '"a" is given twice, expected once'],
])("readArguments() refuses %j", async (words, state) => {
  await expect(read(...words)).rejects.toMatchObject({
    code: "USAGE",
    message: `Cannot read the arguments: ${state}`,
  });
});

test("readArguments() refuses --arguments that are not an object", async () => {
  await expect(readArguments([], "[1]", async () => schema)).rejects.toThrow("not a JSON object");
});

test.each([
  [["test FILE"], "expected test FILE after"],
  [["check", "test FILE"], "expected check or test FILE after"],
  [["check", "explain SERVER TOOL", "test FILE"], "expected check, explain SERVER TOOL or test FILE after"],
])("misread() with the forms %j says %j", (forms, expected) => {
  expect(misread("policy", ["tset"], forms)).toMatchObject({
    message: expect.stringContaining(expected),
    hint: 'Did you mean "policy test"?',
  });
});
