// Which word a person probably meant.
import { expect, test } from "vitest";
import { nearestWord } from "../../../../src/surfaces/cli/nearest-word.js";

const words = ["serve", "servers", "search", "show", "tools"];

test.each([
  ["sevre", "serve"],
  ["server", "serve"],
  ["Tool", "tools"],
  ["serach", "search"],
])("nearestWord() corrects %s to %s", (word, wanted) => {
  expect(nearestWord(word, words)).toBe(wanted);
});

test("nearestWord() suggests nothing that is far away", () => {
  expect(nearestWord("deploy", words)).toBeUndefined();
});
