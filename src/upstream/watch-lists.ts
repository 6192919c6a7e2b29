// Hears from a server that its tools, resources or prompts have changed, in either era.
import type { Connection } from "./connection.js";

const changes = [
  "notifications/tools/list_changed",
  "notifications/resources/list_changed",
  "notifications/prompts/list_changed",
] as const;

export const watchLists = (connection: Connection, timeoutMs: number, onChanged: () => void): void => {
  const { client, verdict } = connection;
  for (const change of changes) client.setNotificationHandler(change, onChanged);
  if (verdict.kind === "legacy") return;
  // In the 2026 era a server only tells those who subscribed.
  const offers = client.getServerCapabilities();
  const filter = {
    ...(offers?.tools?.listChanged === true ? { toolsListChanged: true } : {}),
    ...(offers?.resources?.listChanged === true ? { resourcesListChanged: true } : {}),
    ...(offers?.prompts?.listChanged === true ? { promptsListChanged: true } : {}),
  };
  // Without the subscription a change is seen at the next connection.
  if (Object.keys(filter).length > 0) client.listen(filter, { timeout: timeoutMs }).catch(() => {});
};
