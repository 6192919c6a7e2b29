// The bound against the tokenizer: never below it for signatures, and not far above.
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { renderShortSignature } from "../../../src/codegen/index.js";
import { boundTokens } from "../../../src/outline/index.js";
import { wordsOfOneToken, wordsOfTwoTokens } from "../../../src/outline/known-words.js";
import { hasCorpus, readCorpus, readGoldenCases } from "../codegen/catalogs.js";

const toList = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Seeded, so that a failure comes again. */
const openRandom = (seed: number) => () => {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
  return seed / 2 ** 32;
};

describe("boundTokens()", () => {
  it("knows no word that takes more tokens than it says, in any place", () => {
    const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
    for (const [list, most] of [
      [wordsOfOneToken, 1],
      [wordsOfTwoTokens, 2],
    ] as const) {
      for (const word of toList(list)) {
        for (const spelt of [word, capital(word)]) {
          expect(countTokens(spelt), spelt).toBeLessThanOrEqual(most);
          expect(countTokens(` ${spelt}`), spelt).toBeLessThanOrEqual(most);
          for (const lead of '_."({-/')
            expect(countTokens(lead + spelt), lead + spelt).toBeLessThanOrEqual(boundTokens(lead + spelt));
        }
      }
    }
  });

  it("is not below the tokenizer for a text of names that no word list has", () => {
    const random = openRandom(7);
    const letters = [..."abcdefghijklmnopqrstuvwxyz"];
    const pick = (from: readonly string[]): string => from[Math.floor(random() * from.length)] ?? "";
    for (let round = 0; round < 300; round++) {
      const words = Array.from({ length: 20 }, () =>
        Array.from({ length: 2 + Math.floor(random() * 14) }, () =>
          pick(
            round % 3 === 0
              ? [...letters, ..."ABCDEFGHIJ0123456789_-"]
              : round % 3 === 1
                ? letters
                : [..."äöüßéñ漢字日本語🚀"],
          ),
        ).join(""),
      );
      const text = words.join(", ");
      expect(boundTokens(text), text).toBeGreaterThanOrEqual(countTokens(text));
    }
  });

  const compare = (catalogs: ReturnType<typeof readCorpus>): number => {
    let [bound, counted] = [0, 0];
    for (const { server, tools } of catalogs) {
      for (const tool of tools) {
        const name = `${server}.${tool.functionName}`;
        const line = renderShortSignature({ tool, name, longest: 140, isPlain: true });
        const text = JSON.stringify(line).slice(1, -1);
        expect(boundTokens(text), line).toBeGreaterThanOrEqual(countTokens(text));
        bound += boundTokens(text);
        counted += countTokens(text);
      }
    }
    return bound / counted;
  };

  it("is not below the tokenizer for any golden signature", () => {
    expect(compare(readGoldenCases().map(({ catalog }) => catalog))).toBeLessThan(1.6);
  });

  it("is not below the tokenizer for any signature of the corpus, and above it by less than two fifths", ({
    skip,
  }) => {
    skip(!hasCorpus, "the corpus of real servers is not beside the checkout (../shared/corpus)");
    expect(compare(readCorpus())).toBeLessThan(1.4);
  });
});
