// Renders servers: how they are started and which code runs, what `init` found and did, and the changes to files as diffs.
import {
  describePackage,
  describeUpdate,
  type LaunchFact,
  type LaunchSummary,
} from "../../../contracts/index.js";
import {
  type FileDifference,
  type FoundServer,
  type InitResult,
  type ServerSummary,
  withOwnCommand,
} from "../../../coordinator/index.js";
import type { Choice } from "../prompt/choose.js";
import type { Screen, Style } from "../screen.js";
import { plural, renderTable, shortenHome, toExactText, toOneLine, toPlainText, wrap } from "./plain-text.js";

const scopeOf = ({ scope, project }: FoundServer): string =>
  scope === "local" ? ` for ${shortenHome(project ?? "")}` : "";

const headingOf = (server: FoundServer): string =>
  `${server.title}  ${shortenHome(server.path)}${scopeOf(server)}`;

const describe = ({ target, obstacle, isEnabled }: FoundServer): string =>
  obstacle === undefined ? `${isEnabled ? "" : "(off) "}${target}` : `stays: ${obstacle}`;

export const toChoice = (server: FoundServer): Choice => ({
  heading: headingOf(server),
  label: server.server,
  detail: describe(server),
  isFixed: server.obstacle !== undefined,
});

/** Everything that was found, grouped by file. */
export const printFound = (screen: Screen, found: readonly FoundServer[]): void => {
  const lines = renderTable(
    found.map((server) => [server.server, describe(server)]),
    { columns: screen.tableColumns - 2 },
  );
  let heading = "";
  for (const [index, server] of found.entries()) {
    if (headingOf(server) !== heading) screen.print(screen.style("bold", toOneLine(headingOf(server))));
    heading = headingOf(server);
    const line = `  ${lines[index] ?? ""}`;
    screen.print(server.obstacle === undefined ? line : screen.style("dim", line));
  }
  screen.print("");
};

const consequences = [
  "Your clients share these servers: a program can use all of them, whichever client had them before.",
  "Your client no longer asks you about each tool, because it sees one tool that runs programs. mcp-coordinator can ask instead, before a call to any tool that is not declared read-only.",
];

/** What is different once servers go through us. */
export const noteConsequences = (screen: Screen): void => {
  screen.note(screen.styleNote("bold", "What changes:"));
  for (const text of consequences) {
    for (const [at, line] of wrap(text, screen.columns - 4).entries())
      screen.note(`${at === 0 ? "  - " : "    "}${line}`);
  }
};

/** Commands from the folder's own configuration, in full, because they become trusted. */
export const noteProjectServers = (screen: Screen, moved: readonly FoundServer[]): void => {
  const fromProject = moved.filter(({ scope }) => scope === "project");
  if (fromProject.length === 0) return;
  screen.note("These come from this folder, and are trusted from now on:");
  for (const { server, target, facts } of fromProject) {
    screen.note(`  ${toExactText(server)}:  ${toExactText(target)}`);
    noteFacts(screen, facts, target);
  }
};

const indented = (screen: Screen, label: string, text: string): void => {
  for (const [at, line] of wrap(toOneLine(text), screen.columns - 6).entries()) {
    screen.print(`${at === 0 ? label.padEnd(6) : "      "}${line}`);
  }
};

/** What was done, notes, and next steps. */
export const printInitEnd = (screen: Screen, result: InitResult): void => {
  const { moved, starter, snippet, notes, warnings, asksBeforeWrites, ownFile, nextSteps, isWritten } =
    result;
  if (starter !== undefined) screen.print(`${screen.style("green", "wrote")} ${shortenHome(starter)}`);
  const byFile = Map.groupBy(moved, ({ ownFile }) => ownFile);
  for (const [file, servers] of byFile) {
    const names = [...new Set(servers.map(({ ownName }) => ownName))];
    screen.print(
      `${screen.style("green", "moved")} ${plural(names.length, "server")} to ${shortenHome(file)}`,
    );
    indented(screen, "", names.join(", "));
  }
  for (const { server, title, notes: own } of moved) {
    for (const note of own)
      indented(screen, screen.style("yellow", "note  "), `"${server}" of ${title}: ${note}`);
  }
  for (const note of notes) indented(screen, screen.style("yellow", "note  "), note);
  if (asksBeforeWrites !== undefined)
    indented(
      screen,
      screen.style("green", "asks  "),
      `${asksBeforeWrites ? "You are asked before a program writes." : "Programs write without asking you."} To change that, edit "approve" in ${shortenHome(ownFile)}.`,
    );
  for (const text of warnings) indented(screen, screen.style("yellow", "warn  "), withOwnCommand(text));
  if (snippet !== undefined) {
    screen.print("");
    screen.print("For your client's configuration:");
    screen.print(snippet);
  }
  if (!isWritten) return;
  screen.print("");
  const steps = [
    ...nextSteps,
    'Run "mcp-coordinator doctor" to test every server.',
    ...(moved.length === 0 ? [] : ['Run "mcp-coordinator eject" to undo everything.']),
  ];
  for (const step of steps) indented(screen, screen.style("cyan", "next  "), withOwnCommand(step));
};

const styleOf = (line: string): Style | undefined => {
  if (/^(?:---|\+\+\+) /.test(line)) return "bold";
  if (line.startsWith("+")) return "green";
  if (line.startsWith("-")) return "red";
  return line.startsWith("@@") ? "cyan" : undefined;
};

export const printDifferences = (screen: Screen, changes: readonly FileDifference[]): void => {
  for (const { diff } of changes) {
    if (diff === "") continue;
    for (const line of toPlainText(diff).split("\n")) {
      const style = styleOf(line);
      screen.print(style === undefined ? line : screen.style(style, line));
    }
    screen.print("");
  }
};

/** How a server's package is started, in full: with its hash and its Node. */
const renderLaunch = ({ runner, mode, reason, package: found, node, isFetched }: LaunchSummary): string => {
  const what = found === undefined ? (isFetched ? "" : "not installed yet") : describePackage(found);
  const how =
    mode === "as written"
      ? `started as written: ${reason ?? ""}`
      : node === undefined
        ? ""
        : `started with ${node.isOwn ? "the Node that runs mcp-coordinator" : "this machine's Node"}, ${node.version}`;
  return [`${runner}:`, [what, how].filter((part) => part !== "").join(", ")].join(" ");
};

/** What people need to know of a start: everything with --verbose, otherwise only what is unusual. */
export const describeLaunch = (
  { isVerbose }: Pick<Screen, "isVerbose">,
  launch: LaunchSummary | undefined,
): string | undefined => {
  if (launch === undefined) return undefined;
  if (isVerbose) return renderLaunch(launch);
  const { mode, reason, isFetched, package: found } = launch;
  if (mode === "as written") return `started as written: ${reason ?? ""}`;
  return found === undefined && !isFetched ? "not installed yet" : undefined;
};

export const noteUpdates = (screen: Screen, servers: readonly ServerSummary[]): void => {
  for (const { name, launch } of servers) {
    const update = describeUpdate(name, launch);
    if (update !== undefined) screen.note(`${screen.styleNote("yellow", "note")}  ${toPlainText(update)}`);
  }
};

/** A longer text would push the rest off the screen. */
const maxShown = 4000;

/** A text with every character visible. */
export const toReviewText = (text: string): string => {
  const exact = toExactText(text);
  if (exact.length <= maxShown) return exact;
  const [start, end] = [exact.slice(0, maxShown / 2), exact.slice(-maxShown / 2)];
  return `${start} ...${exact.length - maxShown} CHARACTERS NOT SHOWN, LOOK AT THE FILE... ${end}`;
};

/** All facts except the command or address in `shown`. */
export const noteFacts = (screen: Screen, facts: readonly LaunchFact[] = [], shown = ""): void => {
  for (const { label, value, isSteering } of facts) {
    if ((label === "command" || label === "address") && value === shown) continue;
    const line = `      ${toReviewText(label)}: ${toReviewText(value)}`;
    screen.note(isSteering ? screen.styleNote("yellow", line) : line);
  }
};
