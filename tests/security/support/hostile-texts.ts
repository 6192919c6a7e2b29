// Texts that parsers fail on: too deep for their stack, too slow for their expressions, or too large.
import type { Language } from "../../../src/contracts/index.js";

/** A text by its parts, so that a program can build it at run time: head, open × count, middle, close × count, tail. */
export interface HostileText {
  readonly head: string;
  readonly open: string;
  readonly count: number;
  readonly middle: string;
  readonly close: string;
  readonly tail: string;
}

const nest = (
  head: string,
  open: string,
  count: number,
  middle: string,
  close = "",
  tail = "",
): HostileText => ({
  head,
  open,
  count,
  middle,
  close,
  tail,
});

const typescript: Readonly<Record<string, HostileText>> = {
  "nested parentheses": nest("return ", "(", 6000, "1", ")"),
  "nested brackets": nest("return ", "[", 20_000, "1", "]"),
  "nested blocks": nest("", "{", 20_000, "", "}"),
  "nested arrows": nest("return ", "()=>", 20_000, "1"),
  "nested ternaries": nest("return ", "1?", 20_000, "1", ":1"),
  "nested templates": nest("return ", "`${", 10_000, "1", "}`"),
  "nested generics": nest("let a: ", "A<", 20_000, "B", ">"),
  "nested objects": nest("return ", "{a:", 20_000, "1", "}"),
  "nested functions": nest("", "function a(){", 10_000, "", "}"),
  "nested calls": nest("return ", "a(", 20_000, "", ")"),
  "many negations": nest("return ", "!", 100_000, "1"),
  "a long sum": nest("return 1", "+1", 100_000, ""),
  "a long chain of members": nest("return a", ".a", 100_000, ""),
  "nested elements": nest("return ", "<a>", 20_000, "", "</a>"),
  "many comments at the start": nest("", "/**/", 40, "return 1"),
  "one huge comment": nest("/*", "\n", 160_000, "*/ return 1"),
  "one huge comment above a function": nest("/**", "\n", 160_000, "*/\nexport const f = () => 1;"),
  "a fence and spaces": nest("```ts\n", " ", 200_000, "x"),
  "a long string": nest('return "', "a", 900_000, '".length'),
  "combining characters": nest('return "', "e\u0301\u200d\ud83d\ude00", 50_000, '".length'),
  "an unpaired surrogate in names": nest("return ", "\ud800", 50_000, ""),
};

const python: Readonly<Record<string, HostileText>> = {
  "nested parentheses": nest("return ", "(", 50_000, "1", ")"),
  "nested brackets": nest("return ", "[", 50_000, "1", "]"),
  "nested dictionaries": nest("return ", "{1:", 50_000, "1", "}"),
  "nested lambdas": nest("return ", "lambda: ", 20_000, "1"),
  "nested conditions": nest("return ", "1 if 1 else ", 20_000, "1"),
  "nested calls": nest("return ", "a(", 50_000, "", ")"),
  "many negations": nest("return ", "not ", 50_000, "1"),
  "a long sum": nest("return 1", "+1", 100_000, ""),
  "nested f-strings": nest("return ", "f'{", 10_000, "1", "}'"),
  "a huge comment": nest("#", " ", 160_000, "\nreturn 1"),
  "many comments at the start": nest("", "# \n", 50_000, "return 1"),
  "a fence and spaces": nest("```python\n", " ", 200_000, "x"),
  "quotes that never close": nest("return ", '"\\"', 50_000, ""),
};

export const hostileTexts: Readonly<Record<Language, Readonly<Record<string, HostileText>>>> = {
  typescript,
  python,
};

export const writeText = ({ head, open, count, middle, close, tail }: HostileText): string =>
  head + open.repeat(count) + middle + close.repeat(count) + tail;
