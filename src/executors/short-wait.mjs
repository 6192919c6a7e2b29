// Stays awake while an answer is about to come: to be woken costs both sides more than most answers take.

/** How long it stays awake at most. */
const maxAwakeMs = 1;
/** Only where waits were shorter than this of late: a busy machine has better uses for its processor. */
const shortMs = 0.5;
/** The weight of the last wait in the average. */
const lastWeight = 0.2;

/**
 * @param {(() => boolean) | undefined} hasInput whether the answer is there
 * @returns {() => void} ends when it is, or when blocking is the better way to wait
 */
export const createShortWait = (hasInput) => {
  if (hasInput === undefined) return () => {};
  let averageMs = 0;
  return () => {
    // A long wait is forgotten little by little: after some more, the next one is tried awake again.
    if (averageMs > shortMs) {
      averageMs *= 0.98;
      return;
    }
    const from = performance.now();
    let waitedMs = 0;
    while (!hasInput() && waitedMs < maxAwakeMs) waitedMs = performance.now() - from;
    // At most: a process that was put to sleep meanwhile did not wait that long for an answer.
    if (waitedMs >= maxAwakeMs) averageMs = maxAwakeMs;
    else averageMs += (waitedMs - averageMs) * lastWeight;
  };
};
