// The timeouts of one entry: our own `timeouts`, and the bare `timeout` that other clients know.
import type { UpstreamTimeouts } from "../contracts/index.js";
import { timeout } from "./schema-rules.js";
import type { ParsedEntry } from "./server-entry-schema.js";

/** What an entry overrides, or `undefined` when it overrides nothing. */
export const toTimeouts = (
  entry: ParsedEntry,
  onWarning: (text: string) => void,
): Partial<UpstreamTimeouts> | undefined => {
  const bare = timeout.safeParse(entry.timeout);
  if (entry.timeout !== undefined && !bare.success) {
    onWarning('its "timeout" is left out, wanted a number of milliseconds');
  } else if (bare.success && bare.data < 1000) {
    onWarning(`its "timeout" of ${bare.data} is taken as milliseconds, some clients mean seconds`);
  }
  const own = Object.entries(entry.timeouts ?? {}).filter(([, value]) => value !== undefined);
  const timeouts = { ...(bare.success ? { callTimeoutMs: bare.data } : {}), ...Object.fromEntries(own) };
  return Object.keys(timeouts).length === 0 ? undefined : timeouts;
};
