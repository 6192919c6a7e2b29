// Opens the skills of a folder; what reads and writes them is loaded when a skill is first asked for.
import type { SkillStore } from "../../contracts/index.js";
import type { SkillStoreOptions } from "./skill-store.js";

export const openSkills = async (options: SkillStoreOptions): Promise<SkillStore> => {
  const { openFileSkills } = await import("./skill-store.js");
  return openFileSkills(options);
};
