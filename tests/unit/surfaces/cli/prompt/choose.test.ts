// What keys do to a list, and how it is shown.
import { describe, expect, it } from "vitest";
import {
  type Choice,
  type ChooserState,
  press,
  renderChoices,
} from "../../../../../src/surfaces/cli/prompt/choose.js";

const choice = (label: string, heading = "Cursor  ~/.cursor/mcp.json", isFixed = false): Choice => ({
  heading,
  label,
  detail: `npx -y ${label} --with a-long-argument-that-does-not-fit-into-the-line-of-a-terminal`,
  isFixed,
});
const choices = [
  choice("one"),
  choice("two", undefined, true),
  choice("three"),
  choice("four", "Zed  ~/.config/zed"),
];
const start: ChooserState = { at: 0, chosen: new Set([0, 2, 3]) };

const pressed = (...keys: readonly string[]): ChooserState =>
  keys.reduce<ChooserState>((state, key) => {
    const next = press(choices, state, key);
    if (typeof next === "string") throw new Error(next);
    return next;
  }, start);

describe("press()", () => {
  it("skips what cannot be chosen, and wraps around the ends", () => {
    expect(pressed("down").at).toBe(2);
    expect(pressed("down", "down").at).toBe(3);
    expect(pressed("down", "down", "down").at).toBe(0);
    expect(pressed("up").at).toBe(3);
  });

  it("toggles one choice, those of a file, or all, but never what cannot be chosen", () => {
    expect([...pressed("space").chosen]).toEqual([2, 3]);
    expect([...pressed("space", "space").chosen].sort()).toEqual([0, 2, 3]);
    expect([...pressed("c").chosen]).toEqual([3]);
    expect([...pressed("a").chosen]).toEqual([]);
    expect([...pressed("a", "a").chosen].sort()).toEqual([0, 2, 3]);
  });

  it("ends with Enter and q, and ignores other keys", () => {
    expect(press(choices, start, "return")).toBe("done");
    expect(press(choices, start, "q")).toBe("cancelled");
    expect(press(choices, start, "x")).toBe(start);
  });
});

describe("renderChoices()", () => {
  const question = "Which servers?";
  const plain = (_style: unknown, text: string): string => text;

  it("fits the columns, with each file's name above its servers", () => {
    const lines = renderChoices({ question, choices }, start, { columns: 60, rows: 24 }, plain);
    expect(lines.every((line) => line.length <= 60)).toBe(true);
    expect(lines[2]).toBe("Cursor ~/.cursor/mcp.json");
    expect(lines[3]).toMatch(/^❯ ◉ one {4}npx -y one/);
    expect(lines[4]).toMatch(/^ {2}- two/);
    expect(lines[6]).toBe("Zed ~/.config/zed");
  });

  it("says first what is asked and how many are selected, then which keys work", () => {
    const [first, second] = renderChoices({ question, choices }, start, { columns: 80, rows: 24 }, plain);
    expect(first).toMatch(/^Which servers\? \d+ of \d+ selected$/);
    expect(second).toContain("space selects");
    expect(second).toContain("Esc cancels");
  });

  it("shows the part around the cursor if the terminal is low", () => {
    const many = Array.from({ length: 50 }, (_, index) => choice(`server-${index}`));
    const lines = renderChoices(
      { question, choices: many },
      { at: 30, chosen: new Set() },
      { columns: 80, rows: 10 },
      plain,
    );
    expect(lines).toHaveLength(9);
    expect(lines.join("\n")).toContain("❯ ◯ server-30");
  });

  it("shows nothing that could control the terminal", () => {
    const choices = [choice("a\u001b[2Jb", "x\u0007y")];
    const lines = renderChoices({ question, choices }, start, { columns: 80, rows: 24 }, plain);
    expect(lines.join("")).not.toMatch(/\p{Cc}/u);
  });
});
