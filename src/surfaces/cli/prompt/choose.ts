// A list to choose from with arrow keys and space, scrolled to the height of the terminal.
import { cut, pad, toOneLine, widthOf } from "../render/plain-text.js";
import type { Screen } from "../screen.js";
import { readKeys } from "./confirm.js";

export interface Choice {
  /** Consecutive lines with the same heading are grouped below it. */
  readonly heading: string;
  readonly label: string;
  readonly detail: string;
  /** It cannot be chosen. */
  readonly isFixed: boolean;
}

export interface ChooserState {
  readonly at: number;
  readonly chosen: ReadonlySet<number>;
}

/** Applies a key to a state; "done" and "cancelled" end it. */
export const press = (
  choices: readonly Choice[],
  state: ChooserState,
  key: string,
): ChooserState | "done" | "cancelled" => {
  const free = [...choices.keys()].filter((index) => choices[index]?.isFixed !== true);
  const move = (by: number): ChooserState => {
    const next = free[(free.indexOf(state.at) + by + free.length) % free.length];
    return { ...state, at: next ?? state.at };
  };
  const toggle = (indexes: readonly number[]): ChooserState => {
    const isAll = indexes.every((index) => state.chosen.has(index));
    const chosen = new Set(state.chosen);
    for (const index of indexes) isAll ? chosen.delete(index) : chosen.add(index);
    return { ...state, chosen };
  };
  switch (key) {
    case "up":
    case "k":
      return move(-1);
    case "down":
    case "j":
    case "tab":
      return move(1);
    case "space":
      return toggle([state.at]);
    case "a":
      return toggle(free);
    case "c":
      return toggle(free.filter((index) => choices[index]?.heading === choices[state.at]?.heading));
    case "return":
    case "enter":
      return "done";
    case "q":
      return "cancelled";
    default:
      return state;
  }
};

export interface ChooserSize {
  readonly columns: number;
  readonly rows: number;
}

/** The lines of the list; if not all fit, those around the cursor. */
export const renderChoices = (
  choices: readonly Choice[],
  { at, chosen }: ChooserState,
  { columns, rows }: ChooserSize,
  style: Screen["styleNote"],
): readonly string[] => {
  const labelWidth = Math.min(28, Math.max(...choices.map(({ label }) => widthOf(label))));
  const lines: { readonly text: string; readonly index?: number | undefined }[] = [];
  let heading = "";
  for (const [index, choice] of choices.entries()) {
    if (choice.heading !== heading)
      lines.push({ text: style("bold", cut(toOneLine(choice.heading), columns)) });
    heading = choice.heading;
    const mark = choice.isFixed ? "-" : chosen.has(index) ? "◉" : "◯";
    const label = pad(cut(toOneLine(choice.label), labelWidth), labelWidth);
    const text = cut(`${index === at ? "❯" : " "} ${mark} ${label}  ${toOneLine(choice.detail)}`, columns);
    lines.push({
      text: choice.isFixed ? style("dim", text) : index === at ? style("cyan", text) : text,
      index,
    });
  }
  const help = style("dim", cut("space toggles one, c a file, a all; Enter continues, Esc cancels", columns));
  const room = Math.max(3, rows - 2);
  const here = lines.findIndex(({ index }) => index === at);
  const from = Math.max(0, Math.min(here - Math.floor(room / 2), lines.length - room));
  return [help, ...lines.slice(from, from + room).map(({ text }) => text)];
};

/** The chosen positions; `undefined` if the person cancels. */
export const choose = async (
  screen: Screen,
  choices: readonly Choice[],
): Promise<readonly number[] | undefined> => {
  const { stderr } = process;
  const free = [...choices.keys()].filter((index) => choices[index]?.isFixed !== true);
  let state: ChooserState = { at: free[0] ?? 0, chosen: new Set(free) };
  let shown = 0;
  const clear = (): void => void (shown > 0 && stderr.write(`\x1b[${shown}A\x1b[J`));
  const draw = (): void => {
    clear();
    const size = { columns: (stderr.columns ?? 80) - 1, rows: stderr.rows ?? 24 };
    const lines = renderChoices(choices, state, size, screen.styleNote);
    stderr.write(`${lines.join("\n")}\n`);
    shown = lines.length;
  };
  draw();
  const end = await readKeys(({ name, isCancel }) => {
    const next = isCancel ? "cancelled" : press(choices, state, name);
    if (typeof next === "string") return next;
    state = next;
    draw();
    return undefined;
  });
  clear();
  return end === "cancelled" ? undefined : [...state.chosen].sort((one, other) => one - other);
};
