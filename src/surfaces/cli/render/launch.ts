// How a server of a package is really started, in one line.
import { describePackage, type LaunchSummary } from "../../../contracts/index.js";

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
