// Skills: code that programs save, and skill folders from elsewhere.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openHost } from "../open-host.mjs";

export const openTarget = async () => {
  const { coordinator, folder } = await openHost();
  const skill = join(folder, "state", "skills", "fuzzed");
  mkdirSync(skill, { recursive: true });
  return {
    take: async (text) => {
      await coordinator.saveSkill({ name: "saved", description: "Fuzzed.", code: text }).catch((error) => {
        if (error.code === "INTERNAL") throw error;
      });
      writeFileSync(join(skill, "SKILL.md"), text);
      writeFileSync(join(skill, "skill.ts"), text);
      await coordinator.listSkills();
      await coordinator.searchSkills({ query: "fuzzed" });
    },
  };
};
