// `connect`: shows or writes the entry for one client.
import { existsSync } from "node:fs";
import type { Command } from "../command.js";
import { readText, usage } from "../read-words.js";
import { printDifferences } from "../render/onboarding.js";
import { shortenHome } from "../render/plain-text.js";
import { renderTable } from "../render/table.js";
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
  const style = (row: "head" | "body", column: number, text: string): string =>
    row === "head" ? screen.style("bold", text) : column === 2 ? screen.style("green", text) : text;
  const head = ["CLIENT", "NAME", "", "FILE"];
  for (const line of renderTable(rows, { columns: screen.tableColumns, head, style })) screen.print(line);
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
    scope: {
      type: "string",
      value: "SCOPE",
      choices: ["user", "project"],
      summary: "user (default) or project",
    },
  },
  run: async ({ screen, words, options, open }) => {
    const [client, ...more] = words;
    if (client === undefined) return printClients(screen);
    const scope = readText(options, "scope") ?? "user";
    if (more.length > 0 || (scope !== "user" && scope !== "project")) {
      throw usage(
        "connect",
        `"${[...more, scope].join(" ")}" is not understood, expected one client and a scope`,
        "connect",
      );
    }
    const { connect: connectClient } = await import("../../../coordinator/index.js");
    const config = readText(options, "config");
    const isWritten = options.facts.has("write");
    const result = await connectClient({
      client,
      scope,
      isWritten,
      config,
    });
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
