// A small assembler for the kernel's packet-filter language (BPF), in which seccomp filters are written.
// A filter has one register and reads one record: the number, architecture and arguments of a system call.
import { Buffer } from "node:buffer";

/**
 * One instruction: its code, how many instructions to skip when its test holds or fails, and a constant.
 * @typedef {{ readonly code: number; readonly ifTrue: number; readonly ifFalse: number; readonly value: number }} Instruction
 */

const codes = {
  loadWord: 0x20,
  and: 0x54,
  jumpIfEqual: 0x15,
  jumpIfAtLeast: 0x35,
  jumpIfAnyBit: 0x45,
  answer: 0x06,
};

/** Offsets in the record. Arguments are 64 bits wide; their low word is enough for the tests here. */
export const recordOffsets = { number: 0, architecture: 4, firstArgument: 16 };

/** Verdicts of a filter. */
export const verdicts = {
  allow: 0x7fff_0000,
  killProcess: 0x8000_0000,
  /** The call does nothing and fails with this error. */
  fail: (/** @type {number} */ errorNumber) => 0x0005_0000 | errorNumber,
};

/** @returns {Instruction} */
const instruction = (/** @type {number} */ code, /** @type {number} */ value, ifTrue = 0, ifFalse = 0) => ({
  code,
  ifTrue,
  ifFalse,
  value,
});

/** Loads a word of the record into the register. @param {number} offset */
export const loadWord = (offset) => instruction(codes.loadWord, offset);

/** Loads the low word of an argument into the register. @param {number} index from 0 */
export const loadArgument = (index) => loadWord(recordOffsets.firstArgument + 8 * index);

/** Masks the register with these bits. @param {number} mask */
export const keepBits = (mask) => instruction(codes.and, mask);

/** Ends the filter. @param {number} verdict */
export const answer = (verdict) => instruction(codes.answer, verdict);

/**
 * Enters the block if the register equals the value, skips it otherwise. A block ends with a verdict.
 * @param {number} value
 * @param {readonly Instruction[]} block
 */
export const whenEqual = (value, block) => [instruction(codes.jumpIfEqual, value, 0, block.length), ...block];

/** @param {number} value @param {readonly Instruction[]} block */
export const unlessEqual = (value, block) => [
  instruction(codes.jumpIfEqual, value, block.length, 0),
  ...block,
];

/** @param {number} value @param {readonly Instruction[]} block */
export const whenAtLeast = (value, block) => [
  instruction(codes.jumpIfAtLeast, value, 0, block.length),
  ...block,
];

/** @param {number} mask @param {readonly Instruction[]} block */
export const whenAnyBit = (mask, block) => [instruction(codes.jumpIfAnyBit, mask, 0, block.length), ...block];

/**
 * One verdict if the register is among the numbers, another if it is not. A binary search: when a filter is loaded, the
 * kernel runs it once for every system call, and a guest waits for that.
 * @param {readonly number[]} numbers at least one
 * @param {Instruction} found
 * @param {Instruction} otherwise
 */
export const whenAmong = (numbers, found, otherwise) => {
  /** @type {[number, number][]} */
  const ranges = [];
  for (const number of [...numbers].sort((one, other) => one - other)) {
    const last = ranges.at(-1);
    if (last?.[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  /** @type {(part: readonly [number, number][]) => readonly Instruction[]} */
  const search = (part) => {
    const middle = part.length >> 1;
    const [first, last] = /** @type {[number, number]} */ (part[middle]);
    const above = instruction(codes.jumpIfAtLeast, first, 0, 2);
    if (middle === 0) return [above, instruction(codes.jumpIfAtLeast, last + 1, 1, 0), found, otherwise];
    const below = search(part.slice(0, middle));
    return [{ ...above, ifTrue: below.length, ifFalse: 0 }, ...below, ...search(part.slice(middle))];
  };
  return search(ranges);
};

/**
 * The program in the kernel's format: eight bytes per instruction.
 * @param {readonly Instruction[]} program
 */
export const assemble = (program) => {
  const bytes = Buffer.alloc(program.length * 8);
  for (const [at, { code, ifTrue, ifFalse, value }] of program.entries()) {
    bytes.writeUInt16LE(code, at * 8);
    bytes.writeUInt8(ifTrue, at * 8 + 2);
    bytes.writeUInt8(ifFalse, at * 8 + 3);
    bytes.writeUInt32LE(value >>> 0, at * 8 + 4);
  }
  return bytes;
};
