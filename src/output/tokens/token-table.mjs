// The tokens of o200k_base as one byte array with a hash table, usable without parsing.

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
export const findRank = ({ offsets, slots, bytes, maxLength }, piece, from, to) => {
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
