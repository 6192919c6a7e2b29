// A question that is answered with one key.
import type { Screen } from "../screen.js";
import { readKeys } from "./read-keys.js";

export interface Question {
  readonly text: string;
  readonly letters: readonly string[];
  /** What Enter stands for. */
  readonly onEnter: string;
  /** What Escape and Ctrl-C stand for. */
  readonly onCancel: string;
}

/** The letter that was pressed. */
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
