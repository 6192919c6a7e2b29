// The store of the state folder, opened when something is first kept or asked for; what nobody used for long is removed then.
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
    // Beside the work, and once: a clean-up that fails keeps nobody from it.
    if (keptWorkspaceDays !== undefined)
      void store.removeInactive({ since: toDaysAgo(keptWorkspaceDays) }).catch(() => undefined);
    return store;
  };
  return () => {
    opened ??= open();
    return opened;
  };
};
