// Our counter compared with the tokenizer that its table comes from.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { O200K_TOKEN_SPLIT_REGEX } from "gpt-tokenizer/encodingParams/constants";
import { describe, expect, it } from "vitest";
import { splitPattern } from "../../../../src/output/tokens/o200k.mjs";
import { readCounter } from "../../../../src/output/tokens/token-counter.js";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const count = await readCounter();
const recount = (text: string): number => countTokens(text, { disallowedSpecial: new Set<string>() });

const createDice = (seed: number) => {
  let state = seed;
  return (sides: number): number => {
    state = (state * 1664525 + 1013904223) % 2 ** 32;
    return Math.floor((state / 2 ** 32) * sides);
  };
};

const differences = (texts: readonly string[]): readonly string[] =>
  texts.filter((text) => count(text) !== recount(text));

describe("createCounter()", () => {
  it("splits texts as o200k_base does", () => {
    expect(splitPattern).toBe(O200K_TOKEN_SPLIT_REGEX.source);
  });

  it("agrees with the tokenizer on every source file of the project", () => {
    const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" }).filter((path) =>
      /\.(ts|mjs|py)$/.test(path),
    );
    expect(files.length).toBeGreaterThan(100);
    expect(differences(files.map((path) => readFileSync(join(root, "src", path), "utf8")))).toEqual([]);
  });

  it("agrees with the tokenizer on every script, marks, emoji and white space", () => {
    const roll = createDice(2026);
    const spaces = [" ", "\n", "\t", "  ", "\r\n", "'s", "'LL", "/", "\u00a0"];
    const letter = (): string => {
      const kind = roll(7);
      if (kind < 3) return String.fromCodePoint(32 + roll(95));
      if (kind === 3) return spaces[roll(spaces.length)] ?? "";
      if (kind === 4) return String.fromCodePoint(roll(0x800));
      if (kind === 5) return String.fromCodePoint(0x1f300 + roll(700));
      return String.fromCodePoint(roll(0xd800));
    };
    const texts = Array.from({ length: 4000 }, () => Array.from({ length: roll(40) }, letter).join(""));
    expect(differences(texts)).toEqual([]);
  });

  it("agrees with the tokenizer on long words without a break", () => {
    const roll = createDice(7);
    const alphabets = ["ab", "abcdefghijklmnopqrstuvwxyz", "ABab", "0123456789abcdef"];
    const texts = Array.from({ length: 60 }, (_, at) => {
      const alphabet = alphabets[at % alphabets.length] ?? "";
      return Array.from({ length: 1200 }, () => alphabet[roll(alphabet.length)]).join("");
    });
    expect(differences(texts)).toEqual([]);
  });

  it("counts empty texts, lone surrogates, and special tokens as text", () => {
    expect(count("")).toBe(0);
    expect(count("\ud800")).toBe(recount("\ud800"));
    expect(count("<|endoftext|>")).toBeGreaterThan(1);
  });

  it("counts a word of half a million letters, which takes the tokenizer more than a minute", () => {
    expect(count("x".repeat(500_000))).toBe(62_500);
  });

  it("counts a word that is longer than the maximum piece in parts", () => {
    expect(count("x".repeat(3 * 2 ** 20))).toBe((3 * 2 ** 20) / 8);
    expect(count("\u{1f600}".repeat(600_000))).toBe(600_000 * recount("\u{1f600}"));
  });
});
