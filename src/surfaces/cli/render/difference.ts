// Renders unified diffs: additions green, removals red.
import type { FileDifference } from "../../../coordinator/index.js";
import type { Screen, Style } from "../screen.js";
import { toPlainText } from "./plain-text.js";

const styleOf = (line: string): Style | undefined => {
  if (/^(?:---|\+\+\+) /.test(line)) return "bold";
  if (line.startsWith("+")) return "green";
  if (line.startsWith("-")) return "red";
  return line.startsWith("@@") ? "cyan" : undefined;
};

export const printDifferences = (screen: Screen, changes: readonly FileDifference[]): void => {
  for (const { diff } of changes) {
    if (diff === "") continue;
    for (const line of toPlainText(diff).split("\n")) {
      const style = styleOf(line);
      screen.print(style === undefined ? line : screen.style(style, line));
    }
    screen.print("");
  }
};
