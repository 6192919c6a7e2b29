// Renders what decides which code a server runs, one fact per line, for a person to review.
import type { LaunchFact } from "../../../contracts/index.js";
import type { Screen } from "../screen.js";
import { toExactText } from "./plain-text.js";

/** A longer text would push the rest off the screen. */
const maxShown = 4000;

/** A text with every character visible. */
export const toJudgedText = (text: string): string => {
  const exact = toExactText(text);
  if (exact.length <= maxShown) return exact;
  const [start, end] = [exact.slice(0, maxShown / 2), exact.slice(-maxShown / 2)];
  return `${start} ...${exact.length - maxShown} CHARACTERS NOT SHOWN, LOOK AT THE FILE... ${end}`;
};

/** All facts except the command or address in `shown`. */
export const noteFacts = (screen: Screen, facts: readonly LaunchFact[] = [], shown = ""): void => {
  for (const { label, value, isSteering } of facts) {
    if ((label === "command" || label === "address") && value === shown) continue;
    const line = `      ${toJudgedText(label)}: ${toJudgedText(value)}`;
    screen.note(isSteering ? screen.styleNote("yellow", line) : line);
  }
};
