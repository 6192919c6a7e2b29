// A coordinator that opens with its first use, and closes with a program that does not close it.
import type { Coordinator } from "./coordinator.js";
import type { OpenOptions } from "./host/open-options.js";
import { openCoordinator } from "./open-coordinator.js";

/** A coordinator behind a constructor, which cannot wait. */
export interface CoordinatorOnUse {
  readonly open: () => Promise<Coordinator>;
  /** Nothing where nothing was opened. A later use opens it again. */
  readonly close: () => Promise<void>;
}

const opened = new Set<() => Promise<void>>();

/** Node asks when nothing is left to do: what is only kept in memory is written, then the program ends. */
const closeAll = (): void => {
  for (const close of opened) close().catch(() => {});
};

export const openOnUse = (options: OpenOptions): CoordinatorOnUse => {
  let coordinator: Promise<Coordinator> | undefined;
  const close = async (): Promise<void> => {
    opened.delete(close);
    if (opened.size === 0) process.off("beforeExit", closeAll);
    const closing = coordinator;
    coordinator = undefined;
    await (await closing?.catch(() => undefined))?.close();
  };
  const open = (): Promise<Coordinator> => {
    if (coordinator !== undefined) return coordinator;
    if (opened.size === 0) process.on("beforeExit", closeAll);
    opened.add(close);
    const opening = openCoordinator(options);
    // A configuration that is mended in the meantime is read the next time.
    opening.catch(() => close());
    coordinator = opening;
    return opening;
  };
  return { open, close };
};
