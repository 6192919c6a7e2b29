// How a word becomes the term it is indexed under.
import { expect, test } from "vitest";
import { toTerm } from "../../../src/search/to-term.js";

test("toTerm() gives the forms of a word one term", () => {
  for (const forms of [
    ["file", "files"],
    ["query", "queries", "querying"],
    ["calculate", "calculates", "calculated", "calculating", "calculation", "calculator"],
  ]) {
    expect(new Set(forms.map(toTerm)).size).toBe(1);
  }
});

test("toTerm() keeps words apart that only look alike", () => {
  expect(toTerm("news")).not.toBe(toTerm("new"));
});

test("toTerm() has no term for a word that says nothing", () => {
  expect(toTerm("the")).toBeUndefined();
});

test("toTerm() leaves short words, numbers and other scripts as they are", () => {
  expect(["db", "2024", "天气"].map(toTerm)).toEqual(["db", "2024", "天气"]);
});
