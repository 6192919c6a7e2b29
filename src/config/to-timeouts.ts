// The timeouts of one entry: our own `timeouts`, and the bare `timeout` that other clients know.
import type { UpstreamTimeouts } from "../contracts/index.js";
import { timeout } from "./schema-rules.js";
import type { ParsedEntry } from "./server-entry-schema.js";

/** Some clients count milliseconds and some seconds in the same files: the size tells which was meant. */
const minMs = 1000;

/** What an entry overrides, or `undefined` when it overrides nothing. */
export const toTimeouts = (
  entry: ParsedEntry,
  onWarning: (text: string) => void,
): Partial<UpstreamTimeouts> | undefined => {
  const isSeconds = typeof entry.timeout === "number" && entry.timeout < minMs;
  const bare = timeout.safeParse(isSeconds ? Number(entry.timeout) * 1000 : entry.timeout);
  if (entry.timeout !== undefined && !bare.success) {
    onWarning('its "timeout" is left out, wanted a number of milliseconds');
  } else if (bare.success && isSeconds) {
    onWarning(
      `its "timeout" of ${entry.timeout} is read as seconds, because no call ends in less than a second`,
    );
  }
  const own = Object.entries(entry.timeouts ?? {}).filter(([, value]) => value !== undefined);
  const timeouts = { ...(bare.success ? { callTimeoutMs: bare.data } : {}), ...Object.fromEntries(own) };
  return Object.keys(timeouts).length === 0 ? undefined : timeouts;
};
