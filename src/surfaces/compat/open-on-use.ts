// A coordinator that opens on first use and closes when the program ends.
import { type Coordinator, type OpenOptions, openCoordinator } from "../../coordinator/index.js";

/** For constructors, which cannot be asynchronous. */
export interface CoordinatorOnUse {
  readonly open: () => Promise<Coordinator>;
  /** Does nothing if nothing was opened. A later use opens it again. */
  readonly close: () => Promise<void>;
}

const opened = new Set<() => Promise<void>>();

/** Node emits `beforeExit` when nothing is left to do: pending writes are finished, then the program ends. */
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
    // Read the configuration again next time, in case it was fixed.
    opening.catch(() => close());
    coordinator = opening;
    return opening;
  };
  return { open, close };
};
