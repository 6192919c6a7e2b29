// Picks the best few of many scores without sorting them all.

const descend = (heap: number[], isWorse: (one: number, two: number) => boolean): void => {
  let place = 0;
  for (;;) {
    const left = 2 * place + 1;
    if (left >= heap.length) return;
    const right = left + 1;
    const child = right < heap.length && isWorse(heap[right] ?? 0, heap[left] ?? 0) ? right : left;
    const [above, below] = [heap[place] ?? 0, heap[child] ?? 0];
    if (!isWorse(below, above)) return;
    heap[place] = below;
    heap[child] = above;
    place = child;
  }
};

/** Indexes of the `limit` highest scores above zero, best first; equal scores in the order of `isBefore`. */
export const selectBest = (
  scores: Float64Array,
  limit: number,
  isBefore: (one: number, two: number) => boolean = (one, two) => one < two,
): number[] => {
  const isWorse = (one: number, two: number): boolean => {
    const difference = (scores[one] ?? 0) - (scores[two] ?? 0);
    return difference === 0 ? isBefore(two, one) : difference < 0;
  };
  const heap: number[] = [];
  let floor = 0;
  for (let index = 0; index < scores.length; index++) {
    const score = scores[index] ?? 0;
    if (score <= 0 || score < floor) continue;
    if (heap.length < limit) {
      heap.push(index);
      // The worst has to be on top once the heap is full; until then order does not matter.
      if (heap.length === limit) heap.sort((one, two) => (isWorse(one, two) ? -1 : 1));
    } else if (limit > 0 && isWorse(heap[0] ?? 0, index)) {
      heap[0] = index;
      descend(heap, isWorse);
    }
    if (heap.length === limit) floor = scores[heap[0] ?? 0] ?? 0;
  }
  return heap.sort((one, two) => (isWorse(one, two) ? 1 : -1));
};
