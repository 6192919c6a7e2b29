// Hands out replayed answers in the order in which they once came, so that a program that waits for several goes the same way again.

/** Without a new call for so long, the program is not going to issue the one whose answer came first: it was changed. */
const graceMs = 50;

export interface DeliveryOrder {
  /** Resolves when it is this answer's turn. */
  readonly wait: (sequence: number) => Promise<void>;
}

export const openDeliveryOrder = (sequences: readonly number[]): DeliveryOrder => {
  const places = new Map(sequences.map((sequence, place) => [sequence, place]));
  const waiting = new Map<number, () => void>();
  let next = 0;
  let timer: NodeJS.Timeout | undefined;
  let isHandingOut = false;

  /** One at a time: what the program does with an answer comes before the next answer. */
  const handOut = (): void => {
    isHandingOut = false;
    const release = waiting.get(next);
    if (release === undefined) return;
    waiting.delete(next);
    next++;
    release();
    handOutLater();
  };
  const handOutLater = (): void => {
    if (isHandingOut || !waiting.has(next)) return;
    isHandingOut = true;
    setImmediate(handOut);
  };
  const arm = (): void => {
    clearTimeout(timer);
    if (waiting.size === 0) return;
    timer = setTimeout(() => {
      if (waiting.size === 0) return;
      next = Math.min(...waiting.keys());
      handOutLater();
      arm();
    }, graceMs);
  };

  return {
    wait: (sequence) => {
      const place = places.get(sequence);
      if (place === undefined || place < next) return Promise.resolve();
      return new Promise((resolve) => {
        waiting.set(place, resolve);
        handOutLater();
        arm();
      });
    },
  };
};
