// Other made-up answers of the same form: what a program does the same with all of them does not depend on them.
import { type GuestAnswer, type Json, parseJson, readLargeInteger } from "../../contracts/index.js";

/** 1 changes the characters, 2 the lengths as well, 3 the signs and what is empty. */
export type Variation = 1 | 2 | 3;

/** Every letter and digit becomes another one, so that no part of the text stays. */
const rotate = (text: string, by: number): string => {
  const turn = (code: number, first: number, count: number): string =>
    String.fromCharCode(first + ((code - first + by) % count));
  return [...text]
    .map((character) => {
      const code = character.charCodeAt(0);
      if (code >= 48 && code <= 57) return turn(code, 48, 10);
      if (code >= 65 && code <= 90) return turn(code, 65, 26);
      return code >= 97 && code <= 122 ? turn(code, 97, 26) : character;
    })
    .join("");
};

const varyText = (text: string, by: Variation): string =>
  by === 1 && text !== "" ? rotate(text, by) : `${"q".repeat(by)}${rotate(text, by)}`;

const varyNumber = (value: number, by: Variation): number => {
  if (by === 1) return value + 1;
  return by === 2 ? value * 7 + 14 : value * -3 - 5;
};

const varyValue = (value: Json, by: Variation): Json => {
  if (readLargeInteger(value) !== undefined) return by;
  if (typeof value === "string") return varyText(value, by);
  if (typeof value === "number") return varyNumber(value, by);
  if (typeof value === "boolean") return by === 2 ? value : !value;
  if (value === null) return by === 3 ? "q" : null;
  if (!Array.isArray(value))
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, varyValue(inner, by)]));
  const items = value.map((item: Json) => varyValue(item, by));
  return by === 2 ? [...items, ...items] : items;
};

/** Every text, number and list becomes the given one: a program that compares with one of its own values takes the other way. */
const setValue = (value: Json, to: GivenValues): Json => {
  if (readLargeInteger(value) !== undefined) return to.number;
  if (typeof value === "string") return to.text;
  if (typeof value === "number") return to.number;
  if (typeof value === "boolean") return to.isTrue;
  if (value === null) return null;
  if (Array.isArray(value)) return to.isEmpty ? [] : value.map((item: Json) => setValue(item, to));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, setValue(inner, to)]));
};

export interface GivenValues {
  readonly text: string;
  readonly number: number;
  readonly isTrue: boolean;
  readonly isEmpty: boolean;
}

const change = (answer: GuestAnswer, toText: (text: string) => string, toValue: (value: Json) => Json) => {
  if (answer.status === "failed") return answer;
  if (answer.format === "text") return { ...answer, body: toText(answer.body) };
  try {
    return { ...answer, body: JSON.stringify(toValue(parseJson(answer.body) as Json)) };
  } catch {
    return { ...answer, body: toText(answer.body) };
  }
};

export const varyAnswer = (answer: GuestAnswer, by: Variation): GuestAnswer =>
  change(
    answer,
    (text) => varyText(text, by),
    (value) => varyValue(value, by),
  );

export const setAnswer = (answer: GuestAnswer, to: GivenValues): GuestAnswer =>
  change(
    answer,
    () => to.text,
    (value) => setValue(value, to),
  );

/** More would take too long to try. A program that compares with others is found by the values that are tried. */
const maxValues = 40;
const maxTextLength = 100_000;
const quoted = /"([^"\\\n]{0,80})"|'([^'\\\n]{0,80})'|`([^`\\\n$]{0,80})`/g;
const digits = /\d{1,15}(?:\.\d{1,6})?/g;

const listLeaves = (value: Json): readonly Json[] =>
  typeof value === "object" && value !== null ? Object.values(value).flatMap(listLeaves) : [value];

const readLeaves = (answer: GuestAnswer): readonly Json[] => {
  if (answer.status === "failed" || answer.body.length > maxTextLength) return [];
  try {
    return listLeaves(JSON.parse(answer.body) as Json);
  } catch {
    return [answer.body.slice(0, 80)];
  }
};

/** Values that a program may compare with: those in its text, and those in answers that were not made up. */
export const listGivenValues = (
  programs: readonly string[],
  answers: readonly GuestAnswer[],
): readonly GivenValues[] => {
  const text = programs.join("\n").slice(0, maxTextLength);
  const leaves = answers.flatMap(readLeaves);
  const texts = new Set<string>(["", ...[...text.matchAll(quoted)].map((match) => match.slice(1).join(""))]);
  for (const leaf of leaves) if (typeof leaf === "string" && texts.size < maxValues) texts.add(leaf);
  const numbers = new Set<number>([0, -1, 1e9]);
  const near = [
    ...[...text.replaceAll("_", "").matchAll(digits)].map(([number]) => Number(number)),
    ...leaves.filter((leaf) => typeof leaf === "number"),
  ];
  for (const number of near) for (const one of [number, number + 1, number - 1]) numbers.add(one);
  const textList = [...texts].slice(0, maxValues);
  const numberList = [...numbers].slice(0, maxValues);
  return Array.from({ length: Math.max(textList.length, numberList.length) }, (_, at) => ({
    text: textList[at % textList.length] ?? "",
    number: numberList[at % numberList.length] ?? 0,
    isTrue: at % 2 === 0,
    isEmpty: at === 1,
  }));
};
