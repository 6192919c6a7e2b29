// Starts ahead what programs need, once the client has its first answer.
import type { Coordinator } from "../../coordinator/index.js";

/** A program that comes sooner starts the compiler by itself, if it was never seen: many were, and need none. */
const compilerMs = 1000;

export interface WarmUp {
  /** Again and again it does nothing more. */
  readonly begin: () => void;
  readonly end: () => void;
}

export const openWarmUp = (coordinator: Coordinator): WarmUp => {
  let timer: NodeJS.Timeout | undefined;
  return {
    begin: () => {
      if (timer !== undefined) return;
      coordinator.warm("run").catch(() => {});
      timer = setTimeout(() => coordinator.warm().catch(() => {}), compilerMs).unref();
    },
    end: () => clearTimeout(timer),
  };
};
