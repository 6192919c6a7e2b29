// How text becomes words, words become terms, and an index numbers them.

import { expect, test } from "vitest";
import { createVocabulary, splitWords, toTerm, typingDistance } from "../../../src/search/vocabulary.js";

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

test.each([
  ["get_current-weather.v2", ["get", "current", "weather", "v2"]],
  ["getHTTPStatusCode", ["get", "http", "status", "code"]],
  ["parseJSON", ["parse", "json"]],
  ["OAuth2Token", ["o", "auth2", "token"]],
  ["HTTP2Server", ["http2", "server"]],
  ["Ein größeres Café", ["ein", "großeres", "cafe"]],
  ["天气预报API", ["天气", "气预", "预报", "api"]],
  ["水", ["水"]],
  ["", []],
  ["🎉 --- !!!", []],
])("splitWords(%j) gives %j", (text, words) => {
  expect(splitWords(text)).toEqual(words);
});

test("splitWords() leaves out runs that are too long to be words", () => {
  expect(splitWords(`key ${"a".repeat(500)} end`)).toEqual(["key", "end"]);
  expect(splitWords(`key ${"é".repeat(500)} end`)).toEqual(["key", "end"]);
});

test("toTerm() gives all forms of a word one term", () => {
  for (const forms of [
    ["file", "files"],
    ["query", "queries", "querying"],
    ["calculate", "calculates", "calculated", "calculating", "calculation", "calculator"],
  ]) {
    expect(new Set(forms.map(toTerm)).size).toBe(1);
  }
});

test("toTerm() distinguishes words that only look alike", () => {
  expect(toTerm("news")).not.toBe(toTerm("new"));
});

test("toTerm() has no term for a stop word", () => {
  expect(toTerm("the")).toBeUndefined();
});

test("toTerm() does not change short words, numbers and other scripts", () => {
  expect(["db", "2024", "天气"].map(toTerm)).toEqual(["db", "2024", "天气"]);
});
