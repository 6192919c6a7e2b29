// Reads keys from a terminal until one ends it, then restores the terminal.
import { emitKeypressEvents } from "node:readline";

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
