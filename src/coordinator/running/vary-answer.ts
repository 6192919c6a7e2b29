// Another made-up answer of the same form, with every value in it different: what stays the same does not depend on it.
import type { GuestAnswer, Json } from "../../contracts/index.js";

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
  if (typeof value === "string") return varyText(value, by);
  if (typeof value === "number") return varyNumber(value, by);
  if (typeof value === "boolean") return by === 2 ? value : !value;
  if (value === null) return by === 3 ? "q" : null;
  if (!Array.isArray(value))
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, varyValue(inner, by)]));
  const items = value.map((item: Json) => varyValue(item, by));
  return by === 2 ? [...items, ...items] : items;
};

export const varyAnswer = (answer: GuestAnswer, by: Variation): GuestAnswer => {
  if (answer.status === "failed") return answer;
  if (answer.format === "text") return { ...answer, body: varyText(answer.body, by) };
  try {
    return { ...answer, body: JSON.stringify(varyValue(JSON.parse(answer.body) as Json, by)) };
  } catch {
    return { ...answer, body: varyText(answer.body, by) };
  }
};
