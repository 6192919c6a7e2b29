// How text becomes words.
import { expect, test } from "vitest";
import { splitWords } from "../../../src/search/words.js";

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

test("splitWords() leaves out what is too long to be a word", () => {
  expect(splitWords(`key ${"a".repeat(500)} end`)).toEqual(["key", "end"]);
  expect(splitWords(`key ${"é".repeat(500)} end`)).toEqual(["key", "end"]);
});
