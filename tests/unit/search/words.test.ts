// How text becomes words, and words become terms.

import { expect, test } from "vitest";
import { splitWords, toTerm } from "../../../src/search/vocabulary.js";

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
