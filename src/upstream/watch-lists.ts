// Watches for changes to a server's tools, resources or prompts, in either protocol era.
import type { Connection } from "./open-connection.js";

const changes = [
  "notifications/tools/list_changed",
  "notifications/resources/list_changed",
  "notifications/prompts/list_changed",
] as const;

/** The first change is handled at once. While more arrive, they are handled at growing intervals. */
const minIntervalMs = 1000;
const maxIntervalMs = 60_000;

/** Throttles: one call at once, one later for all that arrived meanwhile. */
export const slowDown = (run: () => void): (() => void) => {
  let timer: NodeJS.Timeout | undefined;
  let intervalMs = minIntervalMs;
  let lastAt = Number.NEGATIVE_INFINITY;
  const runNow = (): void => {
    timer = undefined;
    lastAt = performance.now();
    run();
  };
  return () => {
    if (timer !== undefined) return;
    const quietMs = performance.now() - lastAt;
    intervalMs = quietMs > 2 * intervalMs ? minIntervalMs : intervalMs;
    if (quietMs >= intervalMs) return runNow();
    timer = setTimeout(runNow, intervalMs - quietMs);
    timer.unref();
    intervalMs = Math.min(2 * intervalMs, maxIntervalMs);
  };
};

export const watchLists = (connection: Connection, timeoutMs: number, onChanged: () => void): void => {
  const { client, verdict } = connection;
  const onNotified = slowDown(onChanged);
  for (const change of changes) client.setNotificationHandler(change, onNotified);
  if (verdict.kind === "legacy") return;
  // In the 2026 era a server notifies only subscribers.
  const offers = client.getServerCapabilities();
  const filter = {
    ...(offers?.tools?.listChanged === true ? { toolsListChanged: true } : {}),
    ...(offers?.resources?.listChanged === true ? { resourcesListChanged: true } : {}),
    ...(offers?.prompts?.listChanged === true ? { promptsListChanged: true } : {}),
  };
  // Without the subscription, a change is noticed at the next connection.
  if (Object.keys(filter).length > 0) client.listen(filter, { timeout: timeoutMs }).catch(() => {});
};
