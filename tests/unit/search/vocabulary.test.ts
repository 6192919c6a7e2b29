// The terms of an index.

import { expect, test } from "vitest";
import { createVocabulary, typingDistance } from "../../../src/search/vocabulary.js";

const learn = (...words: readonly string[]) => {
  const vocabulary = createVocabulary();
  for (const word of words) vocabulary.learn(word);
  return vocabulary;
};

test("createVocabulary() gives all forms of a word one number and shows the first form", () => {
  const vocabulary = learn("files", "file", "the", "reading");
  expect(vocabulary.size).toBe(2);
  expect(vocabulary.learn("file")).toBe(vocabulary.find("file"));
  expect(vocabulary.writtenForm(0)).toBe("files");
  expect(vocabulary.learn("the")).toBeUndefined();
});

test("findAlike() returns the nearest terms first, in whatever order they were learned", () => {
  for (const words of [
    ["keyboard", "keyboand", "keynote"],
    ["keynote", "keyboand", "keyboard"],
  ]) {
    const vocabulary = learn(...words);
    const near = vocabulary.findAlike("keyboord");
    expect(near.map(({ id, typos }) => [vocabulary.writtenForm(id), typos])).toEqual([
      ["keyboard", 1],
      ["keyboand", 2],
    ]);
  }
});

test("findAlike() finds words that were learned after its first call", () => {
  const vocabulary = learn("weather");
  expect(vocabulary.findAlike("forcast")).toEqual([]);
  vocabulary.learn("forecast");
  expect(vocabulary.findAlike("forcast")).toHaveLength(1);
});

test("findAlike() finds nothing for short words", () => {
  expect(learn("cat").findAlike("cut")).toEqual([]);
});

test.each([
  ["weather", "weather", 0],
  ["wether", "weather", 1],
  ["weatherr", "weather", 1],
  ["weither", "weather", 1],
  ["waether", "weather", 1],
  ["waethr", "weather", 2],
  ["", "ab", 2],
])("typingDistance(%j, %j) is %i", (left, right, typos) => {
  expect(typingDistance(left, right, 2)).toBe(typos);
  expect(typingDistance(right, left, 2)).toBe(typos);
});

test("typingDistance() stops counting beyond the maximum", () => {
  expect(typingDistance("weather", "calculator", 2)).toBe(3);
  expect(typingDistance("weather", "feather", 0)).toBe(1);
});
