// How a query is read: its parts, its words, what in it is a value.
import { expect, test } from "vitest";
import { parseQuery, type QueryPart } from "../../../src/search/parse-query.js";

const textsOf = (part: QueryPart | undefined): string[] => (part?.words ?? []).map((word) => word.text);

const wordOf = (query: string, text: string) =>
  parseQuery(query).whole.words.find((word) => word.text === text);

test("parseQuery() splits a task into sentences and steps", () => {
  const { parts } = parseQuery(
    "Read the report; find errors and then mail the list. Finally, close the ticket!",
  );
  expect(parts.map(textsOf)).toEqual([
    ["read", "report"],
    ["find", "errors"],
    ["mail", "list"],
    ["close", "ticket"],
  ]);
});

test("parseQuery() returns no parts for a query with one step", () => {
  expect(parseQuery("read the report").parts).toEqual([]);
  expect(parseQuery("Please! Read the report.").parts).toEqual([]);
});

test("parseQuery() has every word of the parts in the whole once", () => {
  expect(textsOf(parseQuery("read report. mail report.").whole)).toEqual(["read", "report", "mail"]);
});

test("parseQuery() treats a capitalized word as a proper name in a sentence, but not in a heading", () => {
  expect(wordOf("the weather in Paris", "paris")?.isValue).toBe(true);
  expect(wordOf("the weather in Paris", "weather")?.isValue).toBe(false);
  expect(wordOf("Weather", "weather")?.isValue).toBe(false);
  expect(wordOf("Current Weather Report", "report")?.isValue).toBe(false);
});

test("parseQuery() gives the parts of a path little weight and adds words for its extension", () => {
  const query = "summarize /srv/reports/annual.docx";
  expect(wordOf(query, "annual")?.weight).toBeLessThan(1);
  expect(textsOf(parseQuery(query).whole)).toEqual(expect.arrayContaining(["word", "document", "file"]));
  expect(wordOf("summarize notes.docx", "document")?.weight).toBe(1);
});

test("parseQuery() does not treat two words with a slash as a path", () => {
  expect(wordOf("create/update records", "update")?.weight).toBe(1);
});

test("parseQuery() pairs words across stop words, but not across a path or a part", () => {
  const pairs = parseQuery("chart of bars /tmp/x.zip send it. next week").whole.pairs;
  expect(pairs).toEqual([["chart", "bar"]]);
});

test("parseQuery() reads only the beginning of a very long query", () => {
  const { whole, parts } = parseQuery(
    Array.from({ length: 20_000 }, (_, number) => `word${number} again${number}.`).join(" "),
  );
  expect(whole.words.length).toBeLessThanOrEqual(200);
  expect(parts.length).toBeLessThanOrEqual(16);
});
