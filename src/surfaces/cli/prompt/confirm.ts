// Reads single keys from a terminal, and asks questions that are answered with one.
import { emitKeypressEvents } from "node:readline";
import type { Screen } from "../screen.js";

export interface Key {
  /** `up`, `space`, `return`, a letter. */
  readonly name: string;
  readonly isCancel: boolean;
}

/** Passes each key to `onKey` until it returns something other than `undefined`. */
export const readKeys = <Answer>(onKey: (key: Key) => Answer | undefined): Promise<Answer> =>
  new Promise((resolve) => {
    const { stdin } = process;
    emitKeypressEvents(stdin);
    const listen = (
      text: string | undefined,
      key: { name?: string | undefined; ctrl?: boolean | undefined } | undefined,
    ): void => {
      const name = key?.name ?? text ?? "";
      const isCancel = name === "escape" || (key?.ctrl === true && (name === "c" || name === "d"));
      const answer = onKey({ name, isCancel });
      if (answer === undefined) return;
      stdin.off("keypress", listen);
      stdin.setRawMode(false);
      stdin.pause();
      resolve(answer);
    };
    stdin.setRawMode(true);
    stdin.resume();
    stdin.on("keypress", listen);
  });

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
