// How a server of a package is really started, in one line; and its last update, for a while.
import type { LaunchSummary } from "../../../contracts/index.js";

/** An update is news for so long. */
const newsMs = 7 * 24 * 60 * 60 * 1000;

export const renderLaunch = ({
  runner,
  mode,
  reason,
  package: found,
  node,
  isFetched,
}: LaunchSummary): string => {
  const what =
    found === undefined ? (isFetched ? "" : "not installed yet") : `${found.name} ${found.version}`;
  const how =
    mode === "as written"
      ? `started as written: ${reason ?? ""}`
      : node === undefined
        ? ""
        : `started with ${node.isOwn ? "the Node that runs mcp-coordinator" : "this machine's Node"}, ${node.version}`;
  return [`${runner}:`, [what, how].filter((part) => part !== "").join(", ")].join(" ");
};

/** Undefined where nothing changed lately. */
export const renderUpdate = (server: string, launch: LaunchSummary | undefined): string | undefined => {
  const found = launch?.package;
  if (found?.before === undefined || Date.now() - found.before.replacedAtMs > newsMs) return undefined;
  const day = new Date(found.before.replacedAtMs).toISOString().slice(0, 10);
  return `"${server}" was updated on ${day}: ${found.name} ${found.version}, before ${found.before.version}. Pin the version to decide yourself`;
};
