// Chooses the compiler that checks types on this machine: the native one, or the classic one if installed.
import { findClassicCompiler, openClassicCompiler } from "./classic-compiler.js";
import type { Compiler } from "./compiler.js";
import { findNativeCompiler, openNativeCompiler } from "./native-compiler.js";

export interface FoundCompiler {
  /** Includes the version, because another one may report different errors. */
  readonly name: string;
  readonly open: () => Compiler;
}

/** Starts nothing. Undefined if this platform has no native compiler and the classic one is not installed. */
export const findCompiler = (): FoundCompiler | undefined => {
  const native = findNativeCompiler();
  if (native !== undefined)
    return { name: `typescript ${native.version} (native)`, open: () => openNativeCompiler(native) };
  const classic = findClassicCompiler();
  if (classic === undefined) return undefined;
  return { name: `typescript ${classic.version} (classic)`, open: () => openClassicCompiler(classic) };
};
