// `connect` and `eject`: show or write the entry for one client, or restore every client to its state before `init`.
import { existsSync } from "node:fs";
import { CoordinatorError } from "../../../contracts/index.js";
import type { EjectedFile, EjectResult } from "../../../coordinator/index.js";
import type { Command } from "../command.js";
import { confirmChanges } from "../prompt/choose.js";
import { readChoice, readText, scopeOption, scopes, usage } from "../read-words.js";
import { noteError } from "../render/error.js";
import { plural, shortenHome } from "../render/plain-text.js";
import { printDifferences } from "../render/servers.js";
import type { Screen } from "../screen.js";
import { fetchAhead } from "./update.js";

const printClients = async (screen: Screen): Promise<number> => {
  const { listClients, withOwnCommand } = await import("../../../coordinator/index.js");
  const clients = await listClients();
  if (screen.isJson) {
    screen.document(clients);
    return 0;
  }
  const rows = clients.map(({ name, title, files, path }) => [
    name,
    title,
    files.length === 0 ? "" : "found",
    shortenHome(files[0] ?? path),
  ]);
  screen.table(rows, {
    head: ["CLIENT", "NAME", "", "FILE"],
    style: (column, text) => (column === 2 ? screen.style("green", text) : text),
  });
  screen.note(withOwnCommand('Run "mcp-coordinator connect CLIENT" to see the entry for one of them'));
  return 0;
};

export const connect: Command = {
  name: "connect",
  usage: ["connect", "connect CLIENT [--write] [--scope project] [--config PATH]"],
  description:
    "Without a client, lists the known clients. The entry starts mcp-coordinator with the configuration given with --config, otherwise with the one that init writes. --write puts it into the client's file; eject removes it again.",
  examples: [
    ["mcp-coordinator connect codex", "What to put into ~/.codex/config.toml"],
    ["mcp-coordinator connect cursor --config mcp.json --write", "Put it there, for this configuration"],
  ],
  options: {
    write: { type: "boolean", summary: "Put it into the client's file, with a backup" },
    scope: scopeOption,
  },
  run: async ({ screen, words, options, open }) => {
    const [client, ...more] = words;
    if (client === undefined) return printClients(screen);
    const scope = readChoice(options, "scope", scopes, "connect") ?? "user";
    if (more.length > 0)
      throw usage("connect", `${words.length} names are given, expected one client`, "connect");
    const { connect: connectClient } = await import("../../../coordinator/index.js");
    const config = readText(options, "config");
    const isWritten = options.facts.has("write");
    const result = await connectClient({ client, scope, isWritten, config });
    if (screen.isJson) {
      screen.document(result);
      return 0;
    }
    if (isWritten) {
      printDifferences(screen, [{ path: result.path, diff: result.diff ?? "" }]);
      screen.note(
        `${result.isWritten ? "Written to" : "Already there:"} ${shortenHome(result.path)}. ${result.nextStep}`,
      );
      // The client starts us where nobody can be asked, so settle trust now, or print the command that does.
      if (result.untrusted.length > 0) await open({ trustsNamed: false });
      const named = existsSync(result.config) ? [result.config] : [];
      await fetchAhead({ screen, open }, named, result.untrusted.length === 0);
      return 0;
    }
    screen.print(result.snippet.trimEnd());
    screen.note(
      `${screen.styleNote("cyan", "next")}  Put it into ${shortenHome(result.path)}, or use --write. ${result.nextStep}`,
    );
    return 0;
  },
};

const words: Readonly<Record<EjectedFile["outcome"], string>> = {
  restored: "restored byte for byte",
  merged: "merged",
  removed: "created by us, removed",
  unchanged: "already as it was",
};

const printFiles = (screen: Screen, label: string, files: EjectResult["files"]): void => {
  for (const file of files) {
    screen.say(`${screen.style("green", label)} ${shortenHome(file.path)}: ${words[file.outcome]}`);
    for (const note of file.notes) screen.say(`      ${note}`);
  }
};

const print = (screen: Screen, { files, changes, problems }: EjectResult, isDryRun: boolean): void => {
  printFiles(screen, isDryRun ? "plan " : "done ", files);
  // A byte-for-byte restore was seen before; a merge was not.
  const shown = isDryRun ? [...files, ...changes] : files.filter(({ outcome }) => outcome === "merged");
  if (shown.length > 0) screen.print("");
  printDifferences(screen, shown);
  for (const problem of problems) noteError(screen, problem);
};

const refuse = ({ files }: EjectResult): CoordinatorError =>
  new CoordinatorError(
    "CONFIRMATION_NEEDED",
    `Cannot restore ${plural(files.length, "file")}: there is no terminal to ask for confirmation`,
    {
      hint: "Review every change with --dry-run, then run it again with --yes; --client NAME selects one client.",
      details: { files: files.map(({ path }) => path) },
    },
  );

const confirm = async (screen: Screen, planned: EjectResult): Promise<boolean> => {
  printFiles(screen, "plan ", planned.files);
  return confirmChanges(screen, "Restore them?", () =>
    printDifferences(screen, [...planned.files, ...planned.changes]),
  );
};

export const eject: Command = {
  name: "eject",
  usage: ["eject [--client CLIENT]... [--yes]", "eject --dry-run"],
  description:
    "Restores each file byte for byte if it is as init left it. If you have changed it since, your changes stay: the servers are put back, the entry of mcp-coordinator is removed, and the difference is shown. Without a terminal, --yes is required.",
  examples: [
    ["mcp-coordinator eject --dry-run", "What would happen"],
    ["mcp-coordinator eject --client cursor", "One client only"],
    ["mcp-coordinator eject --yes", "In a script"],
  ],
  options: {
    client: { type: "string", multiple: true, value: "CLIENT", summary: "Only this client (repeatable)" },
    "dry-run": { type: "boolean", summary: "Show every change as a diff; write nothing" },
    yes: { type: "boolean", short: "y", summary: "Do it without asking" },
  },
  run: async ({ screen, options }) => {
    const { eject: restoreClients } = await import("../../../coordinator/index.js");
    const isDryRun = options.facts.has("dry-run");
    const clients = options.texts.client;
    if (!isDryRun && !options.facts.has("yes")) {
      const planned = await restoreClients({ isDryRun: true, clients });
      if (planned.files.length > 0) {
        if (!screen.canAsk) throw refuse(planned);
        if (!(await confirm(screen, planned))) {
          screen.note("Nothing was changed");
          return 0;
        }
      }
    }
    const result = await restoreClients({ isDryRun, clients });
    if (screen.isJson) screen.document(result);
    else if (result.files.length === 0 && result.problems.length === 0)
      screen.note("No client was taken over");
    else print(screen, result, isDryRun);
    return result.problems.length === 0 ? 0 : 1;
  },
};
