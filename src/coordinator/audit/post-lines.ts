// Sends the lines of the audit to an endpoint: in batches, in order, bounded, without delaying calls.
import { setTimeout as delay } from "node:timers/promises";
import { type AuditLogSettings, CoordinatorError } from "../../contracts/index.js";

export interface LinePoster {
  readonly add: (lines: readonly string[]) => void;
  /** The queue is full: further lines would be discarded. */
  readonly isFull: () => boolean;
  /** Sends what waits. An endpoint that fails is tried again, a few times. */
  readonly close: () => Promise<void>;
}

const maxWaiting = 10_000;
const maxBatch = 500;
const timeoutMs = 10_000;
const firstWaitMs = 250;
const maxWaitMs = 30_000;
const closingTries = 3;

/** Tokens and lines are only sent encrypted, or to this machine. */
const isGuarded = ({ protocol, hostname }: URL): boolean =>
  protocol === "https:" || ["127.0.0.1", "localhost", "[::1]"].includes(hostname);

/** Throws CONFIG_INVALID for an address that is not encrypted. */
export const openLinePoster = (
  { postTo = "", postTokenVariable }: AuditLogSettings,
  environment: Readonly<Record<string, string | undefined>>,
): LinePoster => {
  const url = new URL(postTo);
  if (!isGuarded(url))
    throw new CoordinatorError(
      "CONFIG_INVALID",
      `Cannot send the audit to "${url.origin}": it is not encrypted, expected an address that begins with "https://"`,
    );
  const token = postTokenVariable === undefined ? undefined : environment[postTokenVariable];
  const waiting: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;
  let failures = 0;
  let isClosed = false;

  const send = async (): Promise<boolean> => {
    const batch = waiting.slice(0, maxBatch);
    const response = await fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/x-ndjson",
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: `${batch.join("\n")}\n`,
      // Another host must get neither the token nor the lines.
      redirect: "error",
      signal: AbortSignal.timeout(timeoutMs),
    }).catch(() => undefined);
    await response?.body?.cancel().catch(() => {});
    if (response?.ok !== true) return false;
    waiting.splice(0, batch.length);
    return true;
  };
  const sendAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      if (await send()) failures = 0;
      else {
        failures++;
        return;
      }
    }
  };
  const plan = (): void => {
    if (isClosed || timer !== undefined || sending !== undefined || waiting.length === 0) return;
    const waitMs = failures === 0 ? 0 : Math.min(maxWaitMs, firstWaitMs * 2 ** Math.min(failures, 10));
    timer = setTimeout(() => {
      timer = undefined;
      sending = sendAll().finally(() => {
        sending = undefined;
        plan();
      });
    }, waitMs).unref();
  };
  return {
    add: (lines) => {
      // The receiver sees what is missing: lines are numbered.
      waiting.push(...lines.slice(0, Math.max(0, maxWaiting - waiting.length)));
      plan();
    },
    isFull: () => waiting.length >= maxWaiting,
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      await sending;
      const untilMs = performance.now() + timeoutMs;
      await sendAll();
      for (let tries = 1; tries < closingTries && waiting.length > 0; tries++) {
        await delay(firstWaitMs);
        // An endpoint that does not answer holds up the end of the process only once.
        if (performance.now() < untilMs) await sendAll();
      }
    },
  };
};
