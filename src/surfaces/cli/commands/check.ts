// `check`: reports errors in a program and what it could do, without running it.
import type { ProgramDiagnostic } from "../../../contracts/index.js";
import { withOwnCommand } from "../../../coordinator/index.js";
import type { Command } from "../command.js";
import { readLanguage, readProgram } from "../read-words.js";
import { toPlainText } from "../render/plain-text.js";
import type { Screen } from "../screen.js";

const print = (
  screen: Screen,
  { severity, file, line, column, message, hint, excerpt }: ProgramDiagnostic,
): void => {
  const mark = screen.style(severity === "error" ? "red" : "yellow", severity);
  const place = file === undefined ? "" : `${toPlainText(file)}, `;
  screen.print(`${mark} ${place}line ${line}, column ${column}: ${toPlainText(message)}`);
  screen.print(screen.style("dim", `  ${toPlainText(excerpt)}`));
  for (const text of (hint ?? "").split("\n").filter((one) => one !== ""))
    screen.print(`  ${toPlainText(text)}`);
};

/** Names a slow or hanging server instead of waiting for it. */
const waitMs = 1000;

/** Lists the servers that could not be asked, with the next step. */
const printUnchecked = (screen: Screen, servers: readonly string[]): void => {
  if (servers.length === 0) return;
  const next = withOwnCommand(
    '"mcp-coordinator tools SERVER" waits for a server and caches its tools; "mcp-coordinator doctor" says what is wrong.',
  );
  screen.print(`Could not ask: ${servers.map(toPlainText).join(", ")}. ${next}`);
};

export const check: Command = {
  name: "check",
  usage: ["check FILE", "check -e CODE", "check - < FILE"],
  description:
    "Checks names, imports, arguments, fields of declared results and missing awaits against the servers that the program uses. Exits with 1 if the program would be refused.",
  examples: [
    ["mcp-coordinator check report.ts", "All certain errors, and the tools it can call"],
    ["mcp-coordinator check report.py", "A Python program"],
  ],
  options: {
    eval: { type: "string", short: "e", value: "CODE", summary: "The program itself" },
    language: {
      type: "string",
      value: "NAME",
      choices: ["typescript", "python"],
      summary: "typescript (default) or python",
    },
  },
  run: async ({ screen, open, words, options }) => {
    const language = readLanguage(words, options, "check");
    const code = await readProgram(words, options, "check");
    const coordinator = await open();
    const result = await screen.during("checking", coordinator.checkCode({ code, waitMs, language }));
    if (screen.isJson) screen.document(result);
    else {
      for (const diagnostic of result.diagnostics) print(screen, diagnostic);
      printUnchecked(screen, result.unlisted ?? []);
      const { calls, hasDynamicCalls } = result.manifest;
      const named = calls.map(
        ({ server, tool, isReadOnly }) => `${server}.${tool}${isReadOnly ? " (reads)" : ""}`,
      );
      screen.print(
        `It can call: ${[...named, ...(hasDynamicCalls ? ["tools that are only known at run time"] : [])].join(", ") || "nothing"}`,
      );
    }
    return result.isValid ? 0 : 1;
  },
};
