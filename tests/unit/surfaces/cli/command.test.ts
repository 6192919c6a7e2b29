// How a command line is parsed, and which exit code an error has.
import { expect, test } from "vitest";
import { type ErrorCode, errorTable } from "../../../../src/contracts/index.js";
import {
  type Command,
  exitCodeHelp,
  parseWords,
  splitCommand,
  toExitCode,
} from "../../../../src/surfaces/cli/command.js";

const command: Command = {
  name: "run",
  usage: [],
  examples: [],
  options: {
    eval: { type: "string", short: "e", value: "CODE", summary: "" },
    server: { type: "string", multiple: true, value: "NAME", summary: "" },
    raw: { type: "boolean", summary: "" },
  },
  run: async () => 0,
};

test("splitCommand() finds the command after options that take a value", () => {
  expect(splitCommand(["--config", "a.json", "--json", "tools", "github"])).toEqual({
    name: "tools",
    rest: ["--config", "a.json", "--json", "github"],
  });
});

test("splitCommand() finds no command among options", () => {
  expect(splitCommand(["--help"]).name).toBeUndefined();
});

test("parseWords() returns words, options with values and switches", async () => {
  const { words, options } = await parseWords(command, [
    "a=1",
    "-e",
    "return 1",
    "--raw",
    "--json",
    "--",
    "-x",
  ]);
  expect(words).toEqual(["a=1", "-x"]);
  expect(options.texts).toEqual({ eval: ["return 1"] });
  expect([...options.facts]).toEqual(["raw", "json"]);
});

test("parseWords() keeps every value of a repeatable option, in order", async () => {
  const { options } = await parseWords(command, ["--server", "b", "--server=a", "--config", "c"]);
  expect(options.texts).toEqual({ server: ["b", "a"], config: ["c"] });
});

test("parseWords() offers the nearest option for an unknown one", async () => {
  await expect(parseWords(command, ["--sevrer", "x"])).rejects.toMatchObject({
    code: "USAGE",
    message: 'Cannot read the options of "run": there is no option "--sevrer"',
    hint: 'Did you mean "--server"?',
  });
});

test("parseWords() does not use the next option as a missing value", async () => {
  await expect(parseWords(command, ["--server", "--json"])).rejects.toThrow(
    '"--server" has no value, expected NAME',
  );
});

test("parseWords() refuses a repeated option that may be given only once", async () => {
  await expect(parseWords(command, ["-e", "1", "--eval", "2"])).rejects.toThrow("given twice");
});

test("parseWords() does not treat inherited names as options", async () => {
  await expect(parseWords(command, ["--constructor"])).rejects.toMatchObject({ code: "USAGE" });
});

test("toExitCode() distinguishes usage, user, upstream and host", () => {
  const codeOf = (code: ErrorCode): number => toExitCode({ code, kind: errorTable[code].kind });
  expect(
    ["USAGE", "PROGRAM_FAILED", "UPSTREAM_CLOSED", "INTERNAL"].map((code) => codeOf(code as ErrorCode)),
  ).toEqual([2, 1, 3, 4]);
});

test("every exit code of the table is in the help", () => {
  const codes = Object.entries(errorTable).map(([code, { kind }]) =>
    toExitCode({ code: code as ErrorCode, kind }),
  );
  const explained = exitCodeHelp.map(([code]) => Number(code));
  expect([...new Set(codes)].filter((code) => !explained.includes(code))).toEqual([]);
});
