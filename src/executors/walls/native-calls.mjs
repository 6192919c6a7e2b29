// System calls from JavaScript, through a prebuilt foreign-function binary from npm (koffi).
import { join } from "node:path";
import { isKnownArchitecture, numberOf } from "./syscalls.mjs";

/**
 * @typedef {object} NativeCalls
 * @property {import("./syscalls.mjs").Architecture} architecture
 * @property {(name: import("./syscalls.mjs").SyscallName, ...words: readonly (number | bigint)[]) => number} call
 *   the kernel's return value; throws an error with `errorNumber` if it refused
 * @property {(name: string, result: string, parameters: readonly string[]) => (...words: readonly (number | bigint)[]) => number} findFunction
 *   a function of the C library, for frequent calls
 * @property {(bytes: Uint8Array) => bigint} addressOf the address of bytes; keep them referenced while it is used
 */

/** The package has one build for each C library, and only the right one loads. */
const builds = ["linux", "musl"];

/** @param {string} folder of the package that holds the binary */
const loadBinary = (folder) => {
  let problem;
  for (const build of builds) {
    try {
      /** @type {{ exports: any }} */
      const module = { exports: {} };
      // Not `require`: it would search folders that this process may not read.
      process.dlopen(module, join(folder, `${build}_${process.arch}`, "koffi.node"));
      return module.exports;
    } catch (error) {
      problem ??= error;
    }
  }
  throw problem;
};

/**
 * @param {string} folder of the package that holds the binary
 * @returns {NativeCalls}
 */
export const openNativeCalls = (folder) => {
  const { arch } = process;
  if (!isKnownArchitecture(arch)) throw new Error(`No table of system calls for ${arch}`);
  const binary = loadBinary(folder);
  const library = binary.load(null);
  /** @type {NativeCalls["findFunction"]} */
  const findFunction = (name, result, parameters) =>
    library.func(
      name,
      binary.types[result],
      parameters.map((parameter) => binary.types[parameter]),
    );
  const syscall = findFunction("syscall", "int64", ["int64", ...Array(6).fill("uint64")]);
  return {
    architecture: arch,
    call: (name, ...words) => {
      const number = numberOf(name, arch);
      if (number === undefined) throw new Error(`${arch} has no system call "${name}"`);
      const result = Number(syscall(number, ...words, ...Array(6 - words.length).fill(0)));
      if (result !== -1) return result;
      const errorNumber = Number(binary.errno());
      throw Object.assign(new Error(`System call "${name}" failed with error ${errorNumber}`), {
        errorNumber,
      });
    },
    findFunction,
    addressOf: (bytes) => BigInt(binary.address(bytes)),
  };
};
