// Removes the Markdown fence around a program.
import { expect, it } from "vitest";
import { stripFence } from "../../../src/checker/program.js";

it.each([
  ["a fence with a language", "```ts\nreturn 1\n```", "return 1", 1],
  ["a fence of tildes", "~~~\nreturn 1\n~~~\n", "return 1", 1],
  ["blank lines around it", "\n \n```python\na\nb\n```  \n\n", "a\nb", 3],
  ["a longer fence around a shorter one", "````md\n```\na\n```\n````", "```\na\n```", 1],
  ["spaces before its end", "```\na\n  ```", "a", 1],
  ["an empty program", "```\n```", "", 1],
])("stripFence() removes %s", (_title, text, code, removedLines) => {
  expect(stripFence(text)).toEqual({ code, removedLines });
});

it.each([
  "return 1",
  "```ts\nreturn 1",
  "`a`\nreturn 1\n`",
  "```ts `x`\nreturn 1\n```",
  "```\nreturn 1\n~~~",
  "return `\n```",
  "",
])("stripFence() leaves %j as it is", (text) => {
  expect(stripFence(text)).toEqual({ code: text, removedLines: 0 });
});
