// Counts tokens exactly as o200k_base splits a text, over a table of bytes: little memory, and linear whatever the text.
import { PairHeap } from "./pair-heap.mjs";
import { findRank } from "./token-table.mjs";

/** A run of letters longer than this is counted in parts, so that no text can ask for unbounded memory. */
const longestPiece = 1 << 20;
/** Texts repeat themselves: pieces that were joined before need not be joined again. */
const rememberedPieces = 4096;
const longestRemembered = 256;

const lettersFirst = String.raw`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+`;
const capitalsFirst = String.raw`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*`;
const contraction = "(?:'(?:[sS]|[dD]|[mM]|[tT]|[lL][lL]|[vV][eE]|[rR][eE]))?";
const others = String.raw`\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`;

/** How o200k_base cuts a text into pieces before it looks for tokens. */
export const splitPattern = `${lettersFirst}${contraction}|${capitalsFirst}${contraction}|${others}`;

/**
 * A function that counts the tokens of a text. Marks like `<|endoftext|>` are ordinary text, as in every tool's answer.
 * @param {import("./token-table.mjs").TokenTable} table
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
  const remembered = new Map();

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
   * Joins neighbours of a piece's bytes until none are a token together; returns how many parts are left.
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
      // What was joined with another since has another rank, or none.
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
    if (to - from > longestPiece) {
      let middle = from + longestPiece;
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
    if (to - from > longestRemembered) return countMerged(size);
    const key = text.slice(from, to);
    const known = remembered.get(key);
    if (known !== undefined) return known;
    const tokens = countMerged(size);
    if (remembered.size === rememberedPieces) remembered.clear();
    remembered.set(key, tokens);
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
