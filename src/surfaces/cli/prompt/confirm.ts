// A question answered with one key.
import type { Screen } from "../screen.js";
import { readKeys } from "./read-keys.js";

export interface Question {
  readonly text: string;
  readonly letters: readonly string[];
  /** The answer for Enter. */
  readonly onEnter: string;
  /** The answer for Escape and Ctrl-C. */
  readonly onCancel: string;
}

/** Resolves to the pressed letter. */
export const ask = async (
  screen: Screen,
  { text, letters, onEnter, onCancel }: Question,
): Promise<string> => {
  const shown = letters.map((letter) => (letter === onEnter ? letter.toUpperCase() : letter)).join("/");
  process.stderr.write(`${text} ${screen.styleNote("dim", `[${shown}]`)} `);
  const answer = await readKeys(({ name, isCancel }) => {
    if (isCancel) return onCancel;
    if (name === "return" || name === "enter") return onEnter;
    return letters.find((letter) => letter === name.toLowerCase());
  });
  process.stderr.write(`${answer}\n`);
  return answer;
};
