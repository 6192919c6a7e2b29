// Starts what programs need ahead of time, after the client's first response.
import type { Coordinator } from "../../coordinator/index.js";

/** If a program comes sooner and was never seen, it starts the compiler itself. Known programs need none. */
const compilerMs = 1000;

export interface WarmUp {
  /** Further calls do nothing. */
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
