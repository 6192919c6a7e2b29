// Notifies a client when the tools it has listed have changed.
import type { Coordinator } from "../../coordinator/index.js";
import { readTools, type SurfaceTool } from "./agent-tools/index.js";

export interface WatchedTools {
  /** Lists the servers that were never listed in the background. */
  readonly begin: () => void;
  readonly read: () => Promise<readonly SurfaceTool[]>;
  readonly end: () => void;
}

/** How long the first list waits for servers that were never listed. Most answer sooner. */
const firstListMs = 1500;

/** A search lists many servers at once: notify the client once for all. */
const quietMs = 300;

export const watchTools = (coordinator: Coordinator, onChanged: () => void): WatchedTools => {
  let shown: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  const readNow = () => readTools(coordinator, { waitMs: firstListMs });
  const read = async (): Promise<readonly SurfaceTool[]> => {
    const tools = await readNow();
    shown = JSON.stringify(tools);
    return tools;
  };
  const compare = async (): Promise<void> => {
    timer = undefined;
    // A client that has not listed tools yet is not notified.
    if (shown === undefined) return;
    const before = shown;
    await read();
    if (shown !== before) onChanged();
  };
  const endListening = coordinator.onToolsChanged(() => {
    clearTimeout(timer);
    timer = setTimeout(() => void compare().catch(() => {}), quietMs).unref();
  });
  return {
    begin: () => void readNow().catch(() => {}),
    read,
    end: () => {
      clearTimeout(timer);
      endListening();
    },
  };
};
