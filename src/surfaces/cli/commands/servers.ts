// `servers`: the configured servers, their sources and states.
import type { ServerSummary } from "../../../coordinator/index.js";
import { type Command, toExitCode } from "../command.js";
import { clientOption, openAsClient } from "../open-as-client.js";
import { noteError } from "../render/error.js";
import { describeLaunch, noteUpdates } from "../render/launch.js";
import { renderTable, shortenHome, toPlainText } from "../render/plain-text.js";
import type { Screen, Style } from "../screen.js";

const styles: Readonly<Record<ServerSummary["status"], Style>> = {
  ready: "green",
  cached: "green",
  installing: "yellow",
  unknown: "dim",
  disabled: "dim",
  "sign-in needed": "yellow",
  untrusted: "yellow",
  failed: "red",
};

const statusWords: Partial<Record<ServerSummary["status"], string>> = {
  unknown: "not tried",
  untrusted: "not trusted",
};

/** The status in words for people. */
export const nameServerStatus = (status: ServerSummary["status"]): string => statusWords[status] ?? status;

/** The color of a status in a table. */
export const styleServerStatus = (shown: string): Style => {
  const status = Object.entries(statusWords).find(([, word]) => word === shown)?.[0] ?? shown;
  return styles[status as ServerSummary["status"]] ?? "dim";
};

const print = (screen: Screen, servers: readonly ServerSummary[]): void => {
  const hasVersions = servers.some(({ launch }) => launch?.package !== undefined);
  const toVersion = ({ launch }: ServerSummary): readonly string[] =>
    hasVersions ? [launch?.package?.version ?? ""] : [];
  const rows = servers.map((server) => [
    server.name,
    nameServerStatus(server.status),
    server.toolCount === undefined ? "" : String(server.toolCount),
    ...toVersion(server),
    shortenHome(server.target),
  ]);
  const [head = "", ...lines] = renderTable(rows, {
    columns: screen.tableColumns,
    head: ["NAME", "STATUS", "TOOLS", ...(hasVersions ? ["VERSION"] : []), "STARTS"],
    style: (row, column, text) => {
      if (row === "head") return screen.style("bold", text);
      return column === 1 ? screen.style(styleServerStatus(text.trim()), text) : text;
    },
  });
  screen.print(head);
  let source = "";
  for (const [index, server] of servers.entries()) {
    if (server.source !== source) screen.print(screen.style("dim", `${shortenHome(server.source)}:`));
    source = server.source;
    screen.print(lines[index] ?? "");
    const launch = describeLaunch(screen, server.launch);
    if (launch !== undefined) screen.say(`    ${screen.style("dim", toPlainText(launch))}`);
  }
};

export const servers: Command = {
  name: "servers",
  usage: ["servers [--connect] [--client CLIENT]"],
  description:
    'Starts no server: "cached" means that its tools are known from an earlier start, "installing" that its package is being downloaded, "not tried" that it was never started, "not trusted" that nobody has trusted its configuration yet (see trust). --connect starts every server and lists its tools. --client reads the client\'s own files, and shows the servers that its entry gives an agent.',
  examples: [
    ["mcp-coordinator servers", "The servers of this folder's configuration"],
    ["mcp-coordinator servers --client cursor", "What Cursor's entry gives its agent in this folder"],
    ["mcp-coordinator servers --connect --json", "Start each one and report how it went"],
  ],
  options: {
    connect: { type: "boolean", summary: "Start every server and list its tools" },
    client: clientOption,
  },
  run: async (context) => {
    const { screen, options } = context;
    const { coordinator, problems } = await openAsClient(context);
    if (!screen.isJson) for (const problem of problems) noteError(screen, problem);
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
    for (const { error, status } of found) {
      // One warning above names all servers that wait for trust.
      if (error === undefined || status === "untrusted") continue;
      noteError(screen, error);
    }
    return exitCode;
  },
};
