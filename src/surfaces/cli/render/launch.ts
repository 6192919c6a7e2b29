// Renders how servers are started: packages, recent updates, and the facts that decide which code runs.
import type { LaunchFact } from "../../../contracts/index.js";
import { describePackage, describeUpdate, type LaunchSummary } from "../../../contracts/index.js";
import type { ServerSummary } from "../../../coordinator/index.js";
import type { Screen } from "../screen.js";
import { toExactText, toPlainText } from "./plain-text.js";

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
export const toJudgedText = (text: string): string => {
  const exact = toExactText(text);
  if (exact.length <= maxShown) return exact;
  const [start, end] = [exact.slice(0, maxShown / 2), exact.slice(-maxShown / 2)];
  return `${start} ...${exact.length - maxShown} CHARACTERS NOT SHOWN, LOOK AT THE FILE... ${end}`;
};

/** All facts except the command or address in `shown`. */
export const noteFacts = (screen: Screen, facts: readonly LaunchFact[] = [], shown = ""): void => {
  for (const { label, value, isSteering } of facts) {
    if ((label === "command" || label === "address") && value === shown) continue;
    const line = `      ${toJudgedText(label)}: ${toJudgedText(value)}`;
    screen.note(isSteering ? screen.styleNote("yellow", line) : line);
  }
};
