// `servers`: the configured servers, their sources and states.
import type { ServerSummary } from "../../../coordinator/index.js";
import { type Command, toExitCode } from "../command.js";
import { noteUpdates, renderLaunch } from "../render/launch.js";
import { shortenHome, toPlainText } from "../render/plain-text.js";
import { renderTable } from "../render/table.js";
import type { Screen, Style } from "../screen.js";

const styles: Readonly<Record<ServerSummary["status"], Style>> = {
  ready: "green",
  cached: "green",
  installing: "yellow",
  unknown: "dim",
  disabled: "dim",
  failed: "red",
};

const print = (screen: Screen, servers: readonly ServerSummary[]): void => {
  const rows = servers.map(({ name, status, toolCount, target }) => [
    name,
    status === "unknown" ? "not tried" : status,
    toolCount === undefined ? "" : String(toolCount),
    shortenHome(target),
  ]);
  const [head = "", ...lines] = renderTable(rows, {
    columns: screen.tableColumns,
    head: ["NAME", "STATUS", "TOOLS", "STARTS"],
    style: (row, column, text) => {
      if (row === "head") return screen.style("bold", text);
      return column === 1
        ? screen.style(styles[text.trim() as ServerSummary["status"]] ?? "dim", text)
        : text;
    },
  });
  screen.print(head);
  let source = "";
  for (const [index, server] of servers.entries()) {
    if (server.source !== source) screen.print(screen.style("dim", `${shortenHome(server.source)}:`));
    source = server.source;
    screen.print(lines[index] ?? "");
    if (server.launch !== undefined)
      screen.print(screen.style("dim", `    ${toPlainText(renderLaunch(server.launch))}`));
  }
};

export const servers: Command = {
  name: "servers",
  usage: ["servers [--connect]"],
  description:
    'Starts no server: "cached" means that its tools are known from an earlier start, "installing" that its package is being downloaded, "not tried" that it was never started. --connect starts every server and lists its tools.',
  examples: [
    ["mcp-coordinator servers", "The servers of this folder's configuration"],
    ["mcp-coordinator servers --connect --json", "Start each one and report how it went"],
  ],
  options: { connect: { type: "boolean", summary: "Start every server and list its tools" } },
  run: async ({ screen, open, options }) => {
    const coordinator = await open();
    const connect = options.facts.has("connect");
    const found = await screen.during("starting the servers", coordinator.listServers({ connect }));
    const failed = connect ? found.find(({ error }) => error !== undefined)?.error : undefined;
    const exitCode = failed === undefined ? 0 : toExitCode(failed);
    if (screen.isJson) {
      screen.document(found);
      return exitCode;
    }
    // Opening the configuration already reported that there is none.
    if (found.length === 0) return 0;
    print(screen, found);
    for (const text of await coordinator.checkApprovals())
      screen.note(`${screen.styleNote("yellow", "warning")} ${toPlainText(text)}`);
    noteUpdates(screen, found);
    for (const { error } of found) {
      if (error === undefined) continue;
      screen.note(`${screen.styleNote("red", "error")} ${toPlainText(error.message)}`);
      screen.note(`${screen.styleNote("cyan", "hint")}  ${toPlainText(error.hint)}`);
    }
    return exitCode;
  },
};
