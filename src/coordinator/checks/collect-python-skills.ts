// Collects the skills that a Python program names. The guest imports them itself, from `skills`.
import { posix } from "node:path";
import { proposedCategory, type StoredSkill, skillsName } from "../../contracts/index.js";
import type { Adapter } from "../../store/index.js";
import type { Host } from "../host/host.js";

export interface PythonSkills {
  /** The modules of the skills named by these words. */
  readonly select: (words: ReadonlySet<string>) => Promise<readonly Adapter[]>;
}

const identifier = /^[A-Za-z_]\w*$/;

const toIdentifier = (name: string): string => name.replaceAll("-", "_");

/** A folder in the guest: a package whose `__init__` is the skill. */
const toPackage = (folder: string, file: string, source: string): Adapter => ({
  path: `${skillsName}/${folder}/__init__.py`,
  file: `${skillsName}/${file}`,
  source,
});

const listModules = async (host: Host, skill: StoredSkill, folder: string): Promise<readonly Adapter[]> => {
  const beside = await (await host.skills.open()).listModules(skill);
  const own = posix.dirname(skill.file);
  return [
    toPackage(folder, skill.file, skill.source),
    ...beside.map(({ file, source }) => ({
      path: `${skillsName}/${folder}/${posix.relative(own, file)}`,
      file: `${skillsName}/${file}`,
      source,
    })),
  ];
};

/** Folders above a skill need packages, too. */
const listParents = (path: string): readonly Adapter[] => {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_part, at) => {
    const folder = parts.slice(0, at + 1).join("/");
    return toPackage(folder, `${folder}/__init__.py`, "");
  });
};

/** Skips programs that do not name the folder. */
export const openPythonSkills = async (host: Host, words: ReadonlySet<string>): Promise<PythonSkills> => {
  if (!words.has(skillsName)) return { select: async () => [] };
  const store = await host.skills.open();
  const all = await store.list();
  const taken = new Set<string>();
  return {
    select: async (named) => {
      const modules: Adapter[] = [];
      for (const newest of all) {
        const name = toIdentifier(newest.name);
        if (!named.has(name) || taken.has(newest.path)) continue;
        taken.add(newest.path);
        const path = toIdentifier(newest.path);
        if (!path.split("/").every((part) => identifier.test(part))) continue;
        // Also under its last name alone, if that is unique.
        const isOnly =
          newest.category?.split("/")[0] !== proposedCategory &&
          all.every((one) => one === newest || toIdentifier(one.name) !== name);
        const folders = [...new Set([path, ...(isOnly ? [name] : [])])];
        const versions = newest.versions.filter((one) => one !== newest.version && named.has(`v${one}`));
        for (const folder of folders) {
          modules.push(...listParents(folder));
          if (newest.language === "python") modules.push(...(await listModules(host, newest, folder)));
          for (const version of versions) {
            const skill = await store.find(newest.path, { version, language: "python" });
            if (skill !== undefined)
              modules.push(...(await listModules(host, skill, `${folder}/v${version}`)));
          }
        }
      }
      return modules;
    },
  };
};
