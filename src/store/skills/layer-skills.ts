// Combines a workspace's own skills with the shared ones. Its own take precedence.
import { CoordinatorError, type NewSkill, type SkillStore, type StoredSkill } from "../../contracts/index.js";
import { selectNamed, toCategory, toLooseName, toSkillName } from "./skill-name.js";

export interface LayeredSkills {
  /** Hides a shared skill with the same path and language. */
  readonly own: SkillStore;
  readonly shared: SkillStore;
  /** Save to the shared skills unless the workspace has its own skill of that name. Without it, they are read-only. */
  readonly maySaveShared: boolean;
  /** Called before writing to `own`. */
  readonly prepare: () => Promise<unknown>;
}

const toKey = ({ path, language }: StoredSkill): string => `${language} ${toLooseName(path)}`;

const readOnly = (what: string, name: string): CoordinatorError =>
  new CoordinatorError("SKILL_READ_ONLY", `Cannot ${what} the skill "${name.slice(0, 100)}": it is shared`, {
    hint: "Save a skill with the same name: it replaces the shared one in this workspace.",
  });

export const layerSkills = ({ own, shared, maySaveShared, prepare }: LayeredSkills): SkillStore => {
  const fromShared = new WeakSet<StoredSkill>();
  const markShared = (skill: StoredSkill): StoredSkill => {
    const marked = { ...skill, isShared: true };
    fromShared.add(marked);
    return marked;
  };
  const storeOf = (skill: StoredSkill): SkillStore => (fromShared.has(skill) ? shared : own);

  const find: SkillStore["find"] = async (name, { version, language } = {}) => {
    const newest = language === undefined ? {} : { language };
    const [first, second] = await Promise.all([own.find(name, newest), shared.find(name, newest)]);
    const [found] = selectNamed(
      [first, second].filter((skill) => skill !== undefined),
      name,
    );
    if (found === undefined) return undefined;
    const isOwn = found === first;
    const store = isOwn ? own : shared;
    const wanted = version === undefined ? found : await store.find(found.path, { ...newest, version });
    return isOwn || wanted === undefined ? wanted : markShared(wanted);
  };

  const isOwnName = async ({ title, category }: NewSkill): Promise<boolean> => {
    const path = [...(category === undefined ? [] : [toCategory(category)]), toSkillName(title)].join("/");
    const known = await own.find(path);
    return known !== undefined && toLooseName(known.path) === toLooseName(path);
  };

  return {
    find,
    list: async () => {
      const [first, second] = await Promise.all([own.list(), shared.list()]);
      const hidden = new Set(first.map(toKey));
      const visible = second.filter((skill) => !hidden.has(toKey(skill))).map(markShared);
      return [...first, ...visible].sort((one, other) => (one.path < other.path ? -1 : 1));
    },
    readModule: async (path) => (await own.readModule(path)) ?? shared.readModule(path),
    listModules: (skill) => storeOf(skill).listModules(skill),
    save: async (skill) => {
      if (maySaveShared && !(await isOwnName(skill))) return markShared(await shared.save(skill));
      await prepare();
      return own.save(skill);
    },
    remove: async (name, version) => {
      if ((await own.find(name)) !== undefined) return own.remove(name, version);
      if (maySaveShared) return shared.remove(name, version);
      if ((await shared.find(name)) !== undefined) throw readOnly("delete", name);
      return false;
    },
    readFiles: async (path) => {
      const skill = await find(path);
      return skill === undefined ? [] : storeOf(skill).readFiles(skill.path);
    },
    readCassette: (skill) => storeOf(skill).readCassette(skill),
    writeCassette: async (skill, text, parameters) => {
      if (fromShared.has(skill) && !maySaveShared) throw readOnly("record a test of", skill.path);
      await storeOf(skill).writeCassette(skill, text, parameters);
    },
  };
};
