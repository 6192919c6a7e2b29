// The exit codes of the command.
import { expect, test } from "vitest";
import { type ErrorCode, errorTable } from "../../../../src/contracts/index.js";
import { exitCodeHelp, toExitCode } from "../../../../src/surfaces/cli/command.js";

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
