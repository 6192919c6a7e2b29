// Spins briefly while an answer is about to arrive: waking up costs both sides more time than most answers take.

/** Max time to spin. */
export const maxAwakeMs = 1;
/** Spin only if recent waits were shorter than this: a busy machine has better uses for its processor. */
const shortMs = 0.5;
/** A longer wait counts as this much, so that one slow answer among quick ones does not stop spinning for long. */
const maxCountedMs = 2;
/** Weight of the last wait in the average. */
const lastWeight = 0.2;

/** Averages recent waits and decides whether spinning pays off. */
const createRecentWaits = () => {
  let averageMs = 0;
  return {
    areShort: () => averageMs <= shortMs,
    note: (/** @type {number} */ waitedMs) => {
      averageMs += (Math.min(waitedMs, maxCountedMs) - averageMs) * lastWeight;
    },
  };
};

/**
 * @param {(() => boolean) | undefined} hasInput whether the answer has arrived
 * @returns {<Answer>(read: () => Answer) => Answer} waits for an answer and reads it, spinning where that pays off
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
