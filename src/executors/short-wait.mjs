// Stays awake while an answer is about to come: to be woken costs both sides more than most answers take.

/** How long it stays awake at most. */
export const maxAwakeMs = 1;
/** Only where waits were shorter than this of late: a busy machine has better uses for its processor. */
const shortMs = 0.5;
/** A longer wait counts as this much: after one slow answer among quick ones it soon stays awake again. */
const longestCountedMs = 2;
/** The weight of the last wait in the average. */
const lastWeight = 0.2;

/** What waits took of late, and whether to stay awake is the better way to wait. */
const createRecentWaits = () => {
  let averageMs = 0;
  return {
    areShort: () => averageMs <= shortMs,
    note: (/** @type {number} */ waitedMs) => {
      averageMs += (Math.min(waitedMs, longestCountedMs) - averageMs) * lastWeight;
    },
  };
};

/**
 * @param {(() => boolean) | undefined} hasInput whether the answer is there
 * @returns {<Answer>(read: () => Answer) => Answer} waits for an answer and reads it, awake where that is the better way to wait
 */
export const createShortWait = (hasInput) => {
  if (hasInput === undefined) return (read) => read();
  const recent = createRecentWaits();
  return (read) => {
    const from = performance.now();
    if (recent.areShort()) while (!hasInput() && performance.now() - from < maxAwakeMs);
    const answer = read();
    recent.note(performance.now() - from);
    return answer;
  };
};
