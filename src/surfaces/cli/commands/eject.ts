// `eject`: restores every client to its state before `init`.
import type { EjectedFile, EjectResult } from "../../../coordinator/index.js";
import type { Command } from "../command.js";
import { noteError } from "../render/error.js";
import { printDifferences } from "../render/onboarding.js";
import { shortenHome } from "../render/plain-text.js";
import type { Screen } from "../screen.js";

const words: Readonly<Record<EjectedFile["outcome"], string>> = {
  restored: "restored byte for byte",
  merged: "merged",
  removed: "created by us, removed",
  unchanged: "already as it was",
};

const print = (screen: Screen, { files, changes, problems }: EjectResult, isDryRun: boolean): void => {
  for (const file of files) {
    screen.print(
      `${screen.style("green", isDryRun ? "would" : "done ")} ${shortenHome(file.path)}: ${words[file.outcome]}`,
    );
    for (const note of file.notes) screen.print(`      ${note}`);
  }
  // A byte-for-byte restore was seen before; a merge was not.
  const shown = isDryRun ? [...files, ...changes] : files.filter(({ outcome }) => outcome === "merged");
  if (shown.length > 0) screen.print("");
  printDifferences(screen, shown);
  for (const problem of problems) noteError(screen, problem);
};

export const eject: Command = {
  name: "eject",
  usage: ["eject [--client CLIENT]... [--dry-run]"],
  description:
    "Restores each file byte for byte if it is as init left it. If you have changed it since, your changes stay: the servers are put back, our entry is removed, and the difference is shown.",
  examples: [
    ["mcp-coordinator eject --dry-run", "What would happen"],
    ["mcp-coordinator eject --client cursor", "One client only"],
  ],
  options: {
    client: { type: "string", multiple: true, value: "CLIENT", summary: "Only this client (repeatable)" },
    "dry-run": { type: "boolean", summary: "Show every change as a diff; write nothing" },
  },
  run: async ({ screen, options }) => {
    const { eject: restoreClients } = await import("../../../coordinator/index.js");
    const isDryRun = options.facts.has("dry-run");
    const clients = options.texts.client;
    const result = await restoreClients({ isDryRun, clients });
    if (screen.isJson) screen.document(result);
    else if (result.files.length === 0 && result.problems.length === 0)
      screen.note("No client was taken over");
    else print(screen, result, isDryRun);
    return result.problems.length === 0 ? 0 : 1;
  },
};
