// Opens the store on first use and removes inactive workspaces then.
import type { Settings, Store } from "../../contracts/index.js";
import { openStore, toDaysAgo } from "../../store/index.js";

export const openStoreOnce = ({
  stateFolder,
  limits,
  syncToDisk,
  retention: { keptWorkspaceDays, keptValueDays },
}: Settings): (() => Promise<Store>) => {
  let opened: Promise<Store> | undefined;
  const open = async (): Promise<Store> => {
    const store = await openStore({ folder: stateFolder, limits, keptValueDays, isSynced: syncToDisk });
    // In the background and once: a failed cleanup must not affect the work.
    if (keptWorkspaceDays !== undefined)
      void store.removeInactive({ since: toDaysAgo(keptWorkspaceDays) }).catch(() => undefined);
    return store;
  };
  return () => {
    opened ??= open();
    return opened;
  };
};
