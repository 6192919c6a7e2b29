// The terms of an index.
import { expect, test } from "vitest";
import { createVocabulary } from "../../../src/search/vocabulary.js";

const learn = (...words: readonly string[]) => {
  const vocabulary = createVocabulary();
  for (const word of words) vocabulary.learn(word);
  return vocabulary;
};

test("createVocabulary() numbers the forms of a word once and shows the first", () => {
  const vocabulary = learn("files", "file", "the", "reading");
  expect(vocabulary.size).toBe(2);
  expect(vocabulary.learn("file")).toBe(vocabulary.find("file"));
  expect(vocabulary.writtenForm(0)).toBe("files");
  expect(vocabulary.learn("the")).toBeUndefined();
});

test("findAlike() gives the nearest terms first, whichever were learnt first", () => {
  const near = (vocabulary: ReturnType<typeof learn>) =>
    vocabulary.findAlike("temperatre").map(({ id, mistakes }) => [vocabulary.writtenForm(id), mistakes]);
  // The stem of "temperature" is "temperatur".
  expect(near(learn("temperance", "temperature", "template"))).toEqual([["temperature", 1]]);
  expect(near(learn("template", "temperature"))).toEqual([["temperature", 1]]);
});

test("findAlike() knows words learnt after it was first asked", () => {
  const vocabulary = learn("weather");
  expect(vocabulary.findAlike("forcast")).toEqual([]);
  vocabulary.learn("forecast");
  expect(vocabulary.findAlike("forcast")).toHaveLength(1);
});

test("findAlike() leaves short words alone", () => {
  expect(learn("cat").findAlike("cut")).toEqual([]);
});
