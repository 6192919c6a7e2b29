// Opens the store of a state folder; what it is made of is loaded when something is to be kept.
import type { Store } from "../contracts/index.js";
import type { FileStoreOptions } from "./files/file-store.js";

export const openStore = async (options: FileStoreOptions): Promise<Store> => {
  const { openFileStore } = await import("./files/file-store.js");
  return openFileStore(options);
};
