// Opens the plain-file stores. Their code and dependencies load on first use, so that a start does not wait for them.
import type { SkillStore, Store } from "../contracts/index.js";
import type { FileStoreOptions } from "./files/file-store.js";
import type { LayeredSkills, SkillStoreOptions } from "./files/skills/skill-store.js";

/** Opens the store of a state folder. Another implementation of `Store` must pass `tests/contract/store`. */
export const openStore = async (options: FileStoreOptions): Promise<Store> => {
  const { openFileStore } = await import("./files/file-store.js");
  return openFileStore(options);
};

/** Opens the skills of a folder. Another implementation of `SkillStore` must pass the same contract suite. */
export const openSkills = async (options: SkillStoreOptions): Promise<SkillStore> => {
  const { openFileSkills } = await import("./files/skills/skill-store.js");
  return openFileSkills(options);
};

/** Combines a workspace's own skills with the shared ones. */
export const openLayeredSkills = async (layers: LayeredSkills): Promise<SkillStore> => {
  const { layerSkills } = await import("./files/skills/skill-store.js");
  return layerSkills(layers);
};
