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
  for (const words of [
    ["keyboard", "keyboand", "keynote"],
    ["keynote", "keyboand", "keyboard"],
  ]) {
    const vocabulary = learn(...words);
    const near = vocabulary.findAlike("keyboord");
    expect(near.map(({ id, mistakes }) => [vocabulary.writtenForm(id), mistakes])).toEqual([
      ["keyboard", 1],
      ["keyboand", 2],
    ]);
  }
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
