// `check`: reports errors in a program and what it could do, without running it.
import { renderManifest, withOwnCommand } from "../../../coordinator/index.js";
import type { Command } from "../command.js";
import { readLanguage, readProgram } from "../read-words.js";
import { renderDiagnostic, renderOmitted } from "../render/error.js";
import { toPlainText } from "../render/plain-text.js";
import type { Screen } from "../screen.js";

/** Names a slow or hanging server instead of waiting for it. */
const waitMs = 1000;

/** Lists the servers that could not be asked, with the next step. */
const printUnchecked = (screen: Screen, servers: readonly string[]): void => {
  if (servers.length === 0) return;
  const next = withOwnCommand(
    '"mcp-coordinator tools SERVER" waits for a server and caches its tools; "mcp-coordinator doctor" says what is wrong.',
  );
  screen.say(`Could not ask: ${servers.map(toPlainText).join(", ")}. ${next}`);
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
      summary: "typescript or python (default: recognized)",
    },
  },
  run: async ({ screen, open, words, options }) => {
    const code = await readProgram(words, options, "check");
    const language = readLanguage(words, options, "check", code);
    const coordinator = await open();
    const result = await screen.during("checking", coordinator.checkCode({ code, waitMs, language }));
    if (screen.isJson) screen.document(result);
    else {
      for (const diagnostic of result.diagnostics)
        for (const line of renderDiagnostic(diagnostic, screen.style)) screen.say(line);
      for (const line of renderOmitted(result.omitted)) screen.say(line);
      printUnchecked(screen, result.unlisted ?? []);
      for (const line of renderManifest(result.manifest)) screen.say(toPlainText(line));
    }
    return result.isValid ? 0 : 1;
  },
};
