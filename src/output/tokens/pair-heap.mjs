// Pairs of neighbours that could be joined, the next one first.

/** Positions below this fit into a key beside their rank. */
const positions = 2 ** 22;

/** Positions of pairs, the lowest rank first, then the leftmost: the order in which o200k_base joins them. */
export class PairHeap {
  #keys = new Float64Array(256);
  #size = 0;
  /** The rank of the pair that was taken out last. */
  rank = 0;
  /** Where it begins. */
  position = 0;

  clear() {
    this.#size = 0;
  }

  /**
   * @param {number} rank
   * @param {number} position
   */
  push(rank, position) {
    if (this.#size === this.#keys.length) {
      const larger = new Float64Array(this.#size * 2);
      larger.set(this.#keys);
      this.#keys = larger;
    }
    const keys = this.#keys;
    const key = rank * positions + position;
    let at = this.#size++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = keys[parent] ?? 0;
      if (above <= key) break;
      keys[at] = above;
      at = parent;
    }
    keys[at] = key;
  }

  /** Takes the first pair out; false when there is none. */
  pop() {
    if (this.#size === 0) return false;
    const keys = this.#keys;
    const first = keys[0] ?? 0;
    const last = keys[--this.#size] ?? 0;
    let at = 0;
    while (true) {
      let child = at * 2 + 1;
      if (child >= this.#size) break;
      if (child + 1 < this.#size && (keys[child + 1] ?? 0) < (keys[child] ?? 0)) child++;
      const below = keys[child] ?? 0;
      if (below >= last) break;
      keys[at] = below;
      at = child;
    }
    keys[at] = last;
    this.rank = Math.floor(first / positions);
    this.position = first % positions;
    return true;
  }
}
