// Renders how a packaged server is actually started, and recent automatic updates.
import { describePackage, describeUpdate, type LaunchSummary } from "../../../contracts/index.js";
import type { ServerSummary } from "../../../coordinator/index.js";
import type { Screen } from "../screen.js";
import { toPlainText } from "./plain-text.js";

export const renderLaunch = ({
  runner,
  mode,
  reason,
  package: found,
  node,
  isFetched,
}: LaunchSummary): string => {
  const what = found === undefined ? (isFetched ? "" : "not installed yet") : describePackage(found);
  const how =
    mode === "as written"
      ? `started as written: ${reason ?? ""}`
      : node === undefined
        ? ""
        : `started with ${node.isOwn ? "the Node that runs mcp-coordinator" : "this machine's Node"}, ${node.version}`;
  return [`${runner}:`, [what, how].filter((part) => part !== "").join(", ")].join(" ");
};

export const noteUpdates = (screen: Screen, servers: readonly ServerSummary[]): void => {
  for (const { name, launch } of servers) {
    const update = describeUpdate(name, launch);
    if (update !== undefined) screen.note(`${screen.styleNote("yellow", "note")}  ${toPlainText(update)}`);
  }
};
