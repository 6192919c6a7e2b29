// Questions at a terminal that are answered with keys: one key, or a list to choose from, scrolled to the height of the terminal.
import { emitKeypressEvents } from "node:readline";
import { cut, pad, toOneLine, widthOf } from "../render/plain-text.js";
import type { Screen } from "../screen.js";

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

interface ChooserSize {
  readonly columns: number;
  readonly rows: number;
}

/** What is asked, and what can be chosen. */
interface ChoiceQuestion {
  readonly question: string;
  readonly choices: readonly Choice[];
}

/** The question, the keys, and the lines of the list; if not all fit, those around the cursor. */
export const renderChoices = (
  { question, choices }: ChoiceQuestion,
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
  const free = choices.filter(({ isFixed }) => !isFixed).length;
  const head = style("bold", cut(`${question} ${chosen.size} of ${free} selected`, columns));
  const keys = "↑↓ move, space selects, c all of this file, a all; Enter continues, Esc cancels";
  const help = style("dim", cut(keys, columns));
  const height = Math.max(3, rows - 3);
  const here = lines.findIndex(({ index }) => index === at);
  const from = Math.max(0, Math.min(here - Math.floor(height / 2), lines.length - height));
  return [head, help, ...lines.slice(from, from + height).map(({ text }) => text)];
};

/** The chosen positions; `undefined` if the person cancels. */
export const choose = async (
  screen: Screen,
  asked: ChoiceQuestion,
): Promise<readonly number[] | undefined> => {
  const { stderr } = process;
  const { choices } = asked;
  const free = [...choices.keys()].filter((index) => choices[index]?.isFixed !== true);
  let state: ChooserState = { at: free[0] ?? 0, chosen: new Set(free) };
  let shown = 0;
  const clear = (): void => void (shown > 0 && stderr.write(`\x1b[${shown}A\x1b[J`));
  const draw = (): void => {
    clear();
    const size = { columns: (stderr.columns ?? 80) - 1, rows: stderr.rows ?? 24 };
    const lines = renderChoices(asked, state, size, screen.styleNote);
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

interface Key {
  /** `up`, `space`, `return`, a letter. */
  readonly name: string;
  readonly isCancel: boolean;
}

/** Passes each key to `onKey` until it returns something other than `undefined`. */
const readKeys = <Answer>(onKey: (key: Key) => Answer | undefined): Promise<Answer> =>
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
      // As outside a prompt: the command ends with the exit code of Ctrl-C, and nothing is done.
      if (key?.ctrl === true && name === "c") process.emit("SIGINT");
      resolve(answer);
    };
    stdin.setRawMode(true);
    stdin.resume();
    stdin.on("keypress", listen);
  });

interface Question {
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

/** Whether a person agrees. Enter means no. */
export const confirm = async (screen: Screen, text: string): Promise<boolean> =>
  (await ask(screen, { text, letters: ["y", "n"], onEnter: "n", onCancel: "n" })) === "y";

/** Whether a person agrees to changes. "d" shows them in full, and asks again. */
export const confirmChanges = async (screen: Screen, text: string, show: () => void): Promise<boolean> => {
  const letters = ["y", "n", "d"];
  for (;;) {
    const question = { text: `${text} (d shows every change)`, letters, onEnter: "y", onCancel: "n" };
    const answer = await ask(screen, question);
    if (answer !== "d") return answer === "y";
    show();
  }
};
