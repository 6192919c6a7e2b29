// Renders the demo: program, calls, output, tokens, and the configuration snippet.
import type { CallRecord } from "../../../contracts/index.js";
import { cut, pad, toPlainText } from "../render/plain-text.js";
import { renderCall } from "../render/run.js";
import type { Screen } from "../screen.js";
import { type TokenCounts, totalOf } from "./count-tokens.js";

const indent = "  ";

export const printTitle = (screen: Screen, title: string, aside = ""): void => {
  screen.print("");
  screen.print(`${screen.style("bold", title)}${aside === "" ? "" : screen.style("dim", `  ${aside}`)}`);
};

export const printProgram = (screen: Screen, program: string): void => {
  for (const [index, line] of program.trimEnd().split("\n").entries()) {
    const number = screen.style("dim", String(index + 1).padStart(2));
    const text = cut(line, screen.columns - 6);
    screen.print(
      `${indent}${number}  ${text.startsWith("//") ? screen.style("green", text) : text}`.trimEnd(),
    );
  }
};

export const printCalls = (screen: Screen, calls: readonly CallRecord[]): void => {
  for (const call of calls) screen.print(`${indent}${renderCall(call, screen.columns - 2)}`);
};

export const printOutput = (screen: Screen, output: string): void => {
  for (const line of toPlainText(output).split("\n")) {
    screen.print(`${indent}${screen.style("cyan", cut(line, screen.columns - 2))}`);
  }
};

const count = (tokens: number): string => (tokens === 0 ? "–" : tokens.toLocaleString("en-US"));

export const printTokens = (screen: Screen, through: TokenCounts, without: TokenCounts): void => {
  const rows = [
    ["tool definitions", count(through.definitions), count(without.definitions)],
    ["the program", count(through.program), count(without.program)],
    ["tool answers", count(through.answers), count(without.answers)],
    ["output", count(through.output), count(without.output)],
    ["together", count(totalOf(through)), count(totalOf(without))],
  ];
  for (const [name = "", left = "", right = ""] of [["", "with", "without"], ...rows]) {
    const line = `${indent}${pad(name, 22)}${left.padStart(8)}${right.padStart(10)}`;
    screen.print(name === "" || name === "together" ? screen.style("bold", line) : line);
  }
  const share = totalOf(without) / totalOf(through);
  screen.print(`${indent}${screen.style("green", `${share.toFixed(0)} times fewer with mcp-coordinator`)}`);
  const rules = [
    "With: our two tools and instructions, the program, what it printed.",
    "Without: each tool's name, description and input schema, each answer as JSON.",
  ];
  for (const rule of rules) screen.print(screen.style("dim", `${indent}${cut(rule, screen.columns - 2)}`));
};
