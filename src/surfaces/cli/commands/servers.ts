// `servers`: the configured servers with their sources and states, for this folder or exactly as a client starts them.
import { CoordinatorError } from "../../../contracts/index.js";
import {
  type ClientEntry,
  type Coordinator,
  describeInstallation,
  type ServerSummary,
} from "../../../coordinator/index.js";
import {
  type Command,
  type CommandContext,
  type CommandOption,
  parseLoosely,
  sharedOptions,
  toExitCode,
} from "../command.js";
import { readText, usage } from "../read-words.js";
import { noteError } from "../render/error.js";
import { renderTable, shortenHome, toPlainText } from "../render/plain-text.js";
import { describeLaunch, noteUpdates } from "../render/servers.js";
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

/** For commands that show what one client runs. */
export const clientOption: CommandOption = {
  type: "string",
  value: "CLIENT",
  summary: "Use exactly what this client starts in this folder",
};

export const servers: Command = {
  name: "servers",
  usage: ["servers [--connect] [--client CLIENT]"],
  description:
    'Starts no server: "cached" means that its tools are known from an earlier start, "installing" that its package is being downloaded, "not tried" that it was never started, "not trusted" that nobody has trusted its configuration yet (see trust). --connect starts every server and lists its tools. --client reads the client\'s own files, and shows the servers that its entry gives an agent.',
  instead: (name) => `Run "mcp-coordinator show ${name}" to see what that server offers.`,
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
    for (const text of await coordinator.checkApprovals()) screen.warn(toPlainText(text));
    noteUpdates(screen, found);
    for (const { error, status } of found) {
      // One warning above names all servers that wait for trust.
      if (error === undefined || status === "untrusted") continue;
      noteError(screen, error);
    }
    return exitCode;
  },
};

interface OpenedAsClient {
  readonly coordinator: Coordinator;
  /** Why the client cannot start it. */
  readonly problems: readonly CoordinatorError[];
}

const findProblems = ({ name, path, command, isFound }: ClientEntry): readonly CoordinatorError[] =>
  isFound
    ? []
    : [
        new CoordinatorError(
          "CONFIG_INVALID",
          `Cannot start the entry "${name}" of "${path}": there is no command "${command}" on this machine`,
          { hint: `${describeInstallation()}.` },
        ),
      ];

/** The coordinator of `--client`, otherwise that of the other options. */
export const openAsClient = async (context: CommandContext): Promise<OpenedAsClient> => {
  const { screen, open, options, findCommand } = context;
  const client = readText(options, "client");
  if (client === undefined) return { coordinator: await open(), problems: [] };
  const given = ["config", "project"].find((name) => options.texts[name] !== undefined);
  if (given !== undefined)
    throw usage(
      'use "--client"',
      `"--${given}" is given too, but the client's entry names its own`,
      "servers",
    );
  const { readClientEntries } = await import("../../../coordinator/index.js");
  const { title, entries, others } = await readClientEntries({ client });
  const [entry, ...more] = entries;
  if (entry === undefined)
    throw new CoordinatorError(
      "CONFIG_NONE",
      `Cannot show what ${title} runs: it does not start mcp-coordinator`,
      {
        hint: `Run "mcp-coordinator init --client ${client}" to take over its servers, or "mcp-coordinator connect ${client} --write" to add the entry.`,
      },
    );
  const { texts, facts } = parseLoosely(entry.words, {
    ...sharedOptions,
    ...(await findCommand("serve")).options,
  });
  if (!screen.isJson) {
    screen.note(
      `${title} starts mcp-coordinator with the entry "${toPlainText(entry.name)}" of ${shortenHome(entry.path)}`,
    );
    for (const { name, path } of more)
      screen.note(`It also starts another one with "${toPlainText(name)}" of ${shortenHome(path)}`);
    if (others.length > 0)
      screen.note(
        `It starts these itself, so programs cannot use them: ${others.map(({ server }) => toPlainText(server)).join(", ")}`,
      );
  }
  const [workspace] = texts.workspace ?? [];
  const coordinator = await open({
    config: texts.config,
    project: texts.project?.[0],
    workingFolder: texts.folder?.[0] ?? entry.cwd,
    environment: { ...process.env, ...entry.env },
    trustsNamed: !facts.has("require-trust"),
    settings: workspace === undefined ? undefined : { workspace },
  });
  return { coordinator, problems: findProblems(entry) };
};
