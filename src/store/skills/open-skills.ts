// Opens the skills of a folder; what reads and writes them is loaded when a skill is first asked for.
import type { SkillStore } from "../../contracts/index.js";
import type { SkillStoreOptions } from "../files/skills/skill-store.js";
import type { LayeredSkills } from "./layer-skills.js";

export const openSkills = async (options: SkillStoreOptions): Promise<SkillStore> => {
  const { openFileSkills } = await import("../files/skills/skill-store.js");
  return openFileSkills(options);
};

/** A workspace's own skills over the shared ones. */
export const openLayeredSkills = async (layers: LayeredSkills): Promise<SkillStore> => {
  const { layerSkills } = await import("./layer-skills.js");
  return layerSkills(layers);
};
