// Counts tokens exactly as o200k_base does, with a byte table: little memory, and linear time for any text.

/** Longer runs of letters are counted in parts, so that memory stays bounded. */
const maxPiece = 1 << 20;
/** Texts repeat pieces: their counts are cached. */
const maxCachedPieces = 4096;
const maxCachedLength = 256;

const lettersFirst = String.raw`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+`;
const capitalsFirst = String.raw`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*`;
const contraction = "(?:'(?:[sS]|[dD]|[mM]|[tT]|[lL][lL]|[vV][eE]|[rR][eE]))?";
const others = String.raw`\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`;

/** How o200k_base splits a text into pieces before it looks for tokens. */
export const splitPattern = `${lettersFirst}${contraction}|${capitalsFirst}${contraction}|${others}`;

/** Positions below this fit into a key together with a rank. */
const positions = 2 ** 22;

/** A heap of adjacent pairs, lowest rank first, then leftmost: the order in which o200k_base merges them. */
class PairHeap {
  #keys = new Float64Array(256);
  #size = 0;
  /** The rank of the last pair taken. */
  rank = 0;
  /** Where that pair begins. */
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

  /** Takes the first pair; false if the heap is empty. */
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

/**
 * Returns a function that counts the tokens of a text. Special tokens like `<|endoftext|>` count as ordinary text.
 * @param {import("./o200k.mjs").TokenTable} table
 * @returns {(text: string) => number}
 */
export const createCounter = (table) => {
  // linear: sticky, and each alternative gives back one run of characters at most
  const split = new RegExp(splitPattern, "uy");
  const encoder = new TextEncoder();
  const heap = new PairHeap();
  let piece = new Uint8Array(1024);
  let ends = new Int32Array(1025);
  let starts = new Int32Array(1025);
  let ranks = new Int32Array(1025);
  /** @type {Map<string, number>} */
  const cached = new Map();

  /** @param {number} size */
  const reserve = (size) => {
    if (size <= piece.length) return;
    const larger = 2 ** Math.ceil(Math.log2(size));
    piece = new Uint8Array(larger);
    ends = new Int32Array(larger + 1);
    starts = new Int32Array(larger + 1);
    ranks = new Int32Array(larger + 1);
  };

  /**
   * Merges adjacent bytes of a piece until no two form a token; returns the number of parts.
   * @param {number} size
   */
  const countMerged = (size) => {
    heap.clear();
    for (let at = 0; at < size; at++) {
      ends[at] = at + 1;
      starts[at] = at - 1;
      ranks[at] = at + 1 < size ? findRank(table, piece, at, at + 2) : -1;
      if ((ranks[at] ?? 0) >= 0) heap.push(ranks[at] ?? 0, at);
    }
    let parts = size;
    /** @param {number} at */
    const rankAgain = (at) => {
      const next = ends[at] ?? size;
      ranks[at] = next < size ? findRank(table, piece, at, ends[next] ?? size) : -1;
      if ((ranks[at] ?? 0) >= 0) heap.push(ranks[at] ?? 0, at);
    };
    while (heap.pop()) {
      const at = heap.position;
      // Stale: one of the parts was merged since.
      if (ranks[at] !== heap.rank) continue;
      const joined = ends[at] ?? size;
      ends[at] = ends[joined] ?? size;
      if ((ends[at] ?? size) < size) starts[ends[at] ?? 0] = at;
      ranks[joined] = -1;
      parts--;
      rankAgain(at);
      const before = starts[at] ?? -1;
      if (before >= 0) rankAgain(before);
    }
    return parts;
  };

  /**
   * @param {string} text
   * @param {number} from
   * @param {number} to
   * @returns {number}
   */
  const countPiece = (text, from, to) => {
    if (to - from > maxPiece) {
      let middle = from + maxPiece;
      if ((text.charCodeAt(middle) & 0xfc00) === 0xdc00) middle--;
      return countPiece(text, from, middle) + countPiece(text, middle, to);
    }
    let size = to - from;
    reserve(size * 3);
    for (let at = 0; at < size; at++) {
      const code = text.charCodeAt(from + at);
      if (code > 127) {
        size = encoder.encodeInto(text.slice(from, to), piece).written;
        break;
      }
      piece[at] = code;
    }
    if (size === 1 || findRank(table, piece, 0, size) >= 0) return 1;
    if (to - from > maxCachedLength) return countMerged(size);
    const key = text.slice(from, to);
    const known = cached.get(key);
    if (known !== undefined) return known;
    const tokens = countMerged(size);
    if (cached.size === maxCachedPieces) cached.clear();
    cached.set(key, tokens);
    return tokens;
  };

  return (text) => {
    let tokens = 0;
    let at = 0;
    while (at < text.length) {
      split.lastIndex = at;
      const end = split.test(text) ? split.lastIndex : at + 1;
      tokens += countPiece(text, at, end);
      at = end;
    }
    return tokens;
  };
};

/**
 * The content of the table file: the bytes of every token, and a hash table to find them.
 * @typedef {{ offsets: Uint32Array, slots: Uint32Array, bytes: Uint8Array, maxLength: number }} TokenTable
 */

const magic = 0x4f32304b;
const headerWords = 5;

/**
 * @param {Uint8Array} bytes
 * @param {number} from
 * @param {number} to
 */
const hashBytes = (bytes, from, to) => {
  let hash = 0x811c9dc5;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
};

/**
 * The rank of a byte range; -1 if it is not a token.
 * @param {TokenTable} table
 * @param {Uint8Array} piece
 * @param {number} from
 * @param {number} to
 */
const findRank = ({ offsets, slots, bytes, maxLength }, piece, from, to) => {
  const length = to - from;
  if (length > maxLength) return -1;
  const mask = slots.length - 1;
  for (let slot = hashBytes(piece, from, to) & mask; ; slot = (slot + 1) & mask) {
    const rank = (slots[slot] ?? 0) - 1;
    if (rank < 0) return -1;
    const start = offsets[rank] ?? 0;
    if ((offsets[rank + 1] ?? 0) - start !== length) continue;
    let same = 0;
    while (same < length && bytes[start + same] === piece[from + same]) same++;
    if (same === length) return rank;
  }
};

/**
 * Renders the table file for tokens in order of rank; an empty token is an unused rank.
 * @param {readonly Uint8Array[]} tokens
 */
export const writeTable = (tokens) => {
  const size = tokens.reduce((sum, token) => sum + token.length, 0);
  const slotCount = 2 ** Math.ceil(Math.log2(tokens.length * 1.5));
  const words = headerWords + tokens.length + 1 + slotCount;
  const file = new Uint8Array(words * 4 + size);
  const header = new Uint32Array(file.buffer, 0, headerWords);
  const maxLength = tokens.reduce((max, token) => Math.max(max, token.length), 0);
  header.set([magic, tokens.length, slotCount, size, maxLength]);
  const { offsets, slots, bytes } = openTable(file.buffer);
  let place = 0;
  for (const [rank, token] of tokens.entries()) {
    offsets[rank] = place;
    bytes.set(token, place);
    place += token.length;
    if (token.length === 0) continue;
    let slot = hashBytes(token, 0, token.length) & (slotCount - 1);
    while (slots[slot] !== 0) slot = (slot + 1) & (slotCount - 1);
    slots[slot] = rank + 1;
  }
  offsets[tokens.length] = place;
  return file;
};

/**
 * Views of a table file. Nothing is copied, so threads can share it.
 * @param {ArrayBufferLike} buffer
 * @returns {TokenTable}
 */
export const openTable = (buffer) => {
  const [found, count = 0, slotCount = 0, size = 0, maxLength = 0] = new Uint32Array(buffer, 0, headerWords);
  if (found !== magic) throw new Error("the token table is damaged");
  const slotsAt = (headerWords + count + 1) * 4;
  return {
    offsets: new Uint32Array(buffer, headerWords * 4, count + 1),
    slots: new Uint32Array(buffer, slotsAt, slotCount),
    bytes: new Uint8Array(buffer, slotsAt + slotCount * 4, size),
    maxLength,
  };
};
