// Skills as plain files, one folder each, which people can read, edit and put under version control; a workspace's own before the shared ones.
import { mkdir } from "node:fs/promises";
import { join, posix } from "node:path";
import {
  CoordinatorError,
  type NewSkill,
  type SkillStore,
  type StoredSkill,
} from "../../../contracts/index.js";
import { guardStore } from "../../file-io.js";
import { withLock } from "../../with-lock.js";
import { cacheSkills, listOlder, readSkill, readVersion } from "./read-skill.js";
import {
  findPlaces,
  isReadableName,
  listFiles,
  listPlaces,
  readBytes,
  readText,
  type SkillPlace,
  selectNamed,
  toCategory,
  toLanguage,
  toLooseName,
  toSkillName,
  typescriptExtensions,
} from "./skill-tree.js";
import {
  cassetteName,
  removeFolder,
  type WritePlace,
  writeNewSkill,
  writeNextVersion,
  writeTest,
} from "./write-skill.js";

export interface SkillStoreOptions {
  /** The skills folder, created with the first skill. */
  readonly folder: string;
  readonly isSynced?: boolean | undefined;
}

/** The limits of the public format for one skill. */
const maxFiles = 512;
const maxBytes = 16 * 1024 * 1024;
const maxSkills = 2000;

/** Opens the skills of a folder. Another implementation of `SkillStore` must pass the same contract suite. */
export const openSkills = ({ folder: root, isSynced = false }: SkillStoreOptions): SkillStore => {
  const locks = join(root, ".locks");
  const read = cacheSkills(root);

  const matching = async (name: string): Promise<readonly SkillPlace[]> => {
    const direct = await findPlaces(root, toLooseName(name));
    return direct.length > 0 ? direct : selectNamed(await listPlaces(root), name);
  };

  const readAll = async (places: readonly SkillPlace[]): Promise<readonly StoredSkill[]> => {
    const skills: StoredSkill[] = [];
    for (const place of places) {
      const skill = await read(place).catch(() => undefined);
      if (skill !== undefined) skills.push(skill);
    }
    return skills;
  };

  const find: SkillStore["find"] = async (name, { version, language } = {}) => {
    const skills = await readAll(await matching(name));
    const fits = (skill: StoredSkill): boolean => language === undefined || skill.language === language;
    const skill = version === undefined ? skills.find(fits) : skills[0];
    if (skill === undefined || version === undefined) return skill;
    const found = await readVersion(root, skill, version);
    return found !== undefined && fits(found) ? found : undefined;
  };

  /** A free name, or the existing skill that gets a new version. */
  const choose = async (
    { title, language }: Pick<NewSkill, "title" | "language">,
    category: string | undefined,
  ): Promise<{ readonly place: WritePlace; readonly before?: StoredSkill | undefined }> => {
    const wanted = toSkillName(title);
    const places = await listPlaces(root);
    for (let count = 1; count <= maxSkills; count++) {
      const name = count === 1 ? wanted : `${wanted.slice(0, 58)}-${count}`;
      const path = category === undefined ? name : `${category}/${name}`;
      const taken = places.filter((place) => toLooseName(place.path) === path);
      const place = { root, path, name, isSynced };
      if (taken.length === 0) return { place };
      const [before] = await readAll(
        taken.filter(({ file }) => file === undefined || toLanguage(file) === language),
      );
      const isSame = before !== undefined && (before.record?.title === title || before.name === title);
      if (isSame && before.path === path) return { place, before };
    }
    throw new CoordinatorError(
      "NAME_INVALID",
      `Cannot save the skill "${title}": too many skills have this name`,
    );
  };

  const readSaved = async (path: string): Promise<StoredSkill> => {
    const skill = await find(path);
    if (skill !== undefined) return skill;
    throw new CoordinatorError("STORE_FAILED", `Cannot read the skill "${path}" after it was saved`);
  };

  return guardStore<SkillStore>({
    list: async () => readAll((await listPlaces(root)).slice(0, maxSkills)),
    find,
    readModule: async (path) => {
      if (!path.split("/").every(isReadableName)) return undefined;
      for (const extension of typescriptExtensions) {
        const source = await readText(root, path + extension);
        if (source !== undefined) return { file: path + extension, source };
      }
      return undefined;
    },
    listModules: async (skill) => {
      const folder = posix.dirname(skill.file);
      if (!skill.file.startsWith(`${skill.path}/`)) return [];
      const names = await listFiles(root, folder, maxFiles);
      const files = names.map((name) => `${folder}/${name}`);
      const others = files.filter((file) => toLanguage(file) === "python" && file !== skill.file);
      const texts = await Promise.all(
        others.map(async (file) => ({ file, source: await readText(root, file) })),
      );
      return texts.flatMap(({ file, source }) => (source === undefined ? [] : [{ file, source }]));
    },
    save: async (skill) => {
      const category = skill.category === undefined ? undefined : toCategory(skill.category);
      await mkdir(root, { recursive: true });
      return withLock(locks, async () => {
        const { place, before } = await choose(skill, category);
        if (before === undefined) await writeNewSkill(place, skill);
        else await writeNextVersion(place, before, skill);
        return readSaved(place.path);
      });
    },
    remove: async (name, version) => {
      const [place] = await matching(name);
      if (place === undefined) return false;
      return withLock(locks, async () => {
        const skill = await readSkill(root, place);
        if (version === undefined || skill?.versions.length === 1) {
          if (version !== undefined && version !== skill?.version) return false;
          await removeFolder(root, place.file ?? place.path);
          return true;
        }
        if (version === skill?.version)
          throw new CoordinatorError(
            "USAGE",
            `Cannot delete version ${version} of "${place.path}": it is the newest, expected an older one or all of them`,
          );
        if (!(await listOlder(root, place.path)).includes(version)) return false;
        await removeFolder(root, `${place.path}/versions/${version}`);
        return true;
      });
    },
    readFiles: async (path) => {
      const [place] = await matching(path);
      if (place === undefined || place.file !== undefined) return [];
      let left = maxBytes;
      const files: { path: string; content: Buffer }[] = [];
      for (const file of await listFiles(root, place.path, maxFiles)) {
        const content = await readBytes(root, `${place.path}/${file}`, maxBytes);
        left -= content?.length ?? 0;
        if (content === undefined || left < 0) continue;
        files.push({ path: file, content });
      }
      return files;
    },
    readCassette: async (skill) => {
      if (!skill.file.startsWith(`${skill.path}/`)) return undefined;
      const older = `${skill.path}/versions/${skill.version}`;
      const folder = skill.file.startsWith(`${older}/`) ? older : skill.path;
      const bytes = await readBytes(root, `${folder}/${cassetteName}`, maxBytes);
      return bytes?.toString("utf8");
    },
    writeCassette: (skill, text, parameters) =>
      withLock(locks, () =>
        writeTest({ root, path: skill.path, name: skill.name, isSynced }, skill, text, parameters),
      ),
  });
};

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

/** Combines a workspace's own skills with the shared ones. */
export const openLayeredSkills = ({ own, shared, maySaveShared, prepare }: LayeredSkills): SkillStore => {
  const fromShared = new WeakSet<StoredSkill>();
  const markShared = (skill: StoredSkill): StoredSkill => {
    const marked = { ...skill, isShared: true };
    fromShared.add(marked);
    return marked;
  };
  const storeOf = (skill: StoredSkill): SkillStore => (fromShared.has(skill) ? shared : own);

  const find: SkillStore["find"] = async (name, { version, language } = {}) => {
    const newest = { language };
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
