// Runs a seccomp filter on a made-up system call as the kernel would: the only way to test another architecture.
import {
  type Architecture,
  auditArchitectures,
  numberOf,
  type SyscallName,
} from "../../../../src/executors/walls/syscalls.mjs";

export interface FilteredCall {
  readonly architecture: number;
  readonly number: number;
  readonly words?: readonly number[];
}

export const callOf = (
  architecture: Architecture,
  name: SyscallName,
  ...words: readonly number[]
): FilteredCall => ({
  architecture: auditArchitectures[architecture],
  number: numberOf(name, architecture) ?? -1,
  words,
});

/** The filter's verdict on a call. */
export const runFilter = (program: Buffer, { architecture, number, words = [] }: FilteredCall): number => {
  const record = Buffer.alloc(64);
  record.writeUInt32LE(number >>> 0, 0);
  record.writeUInt32LE(architecture >>> 0, 4);
  for (const [at, word] of words.entries()) record.writeBigUInt64LE(BigInt(word), 16 + 8 * at);
  let register = 0;
  for (let at = 0; at < program.length / 8; at++) {
    const code = program.readUInt16LE(at * 8);
    const value = program.readUInt32LE(at * 8 + 4);
    const skip = (isTrue: boolean): number => program.readUInt8(at * 8 + (isTrue ? 2 : 3));
    if (code === 0x20) register = record.readUInt32LE(value);
    else if (code === 0x54) register = (register & value) >>> 0;
    else if (code === 0x15) at += skip(register === value);
    else if (code === 0x35) at += skip(register >= value);
    else if (code === 0x45) at += skip((register & value) !== 0);
    else if (code === 0x06) return value;
    else throw new Error(`No instruction ${code}`);
  }
  throw new Error("The filter has no answer");
};
