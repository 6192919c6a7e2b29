// Remembers skills that were read, as long as none of their files is another one: lists are asked for often.
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { StoredSkill } from "../../../contracts/index.js";
import { readSkill, recordName } from "./read-skill.js";
import { documentName, type SkillPlace } from "./skill-tree.js";

const mostRemembered = 2000;

/** The time of change cannot be set by who writes a file; what is another file has another number. */
const stamp = async (path: string): Promise<string> => {
  const facts = await lstat(path, { bigint: true }).catch(() => undefined);
  return facts === undefined ? "" : `${facts.ino} ${facts.ctimeNs} ${facts.size}`;
};

const stampAll = async (root: string, { path, file }: SkillPlace, program: string): Promise<string> => {
  const files =
    file === undefined
      ? [`${path}/${documentName}`, `${path}/${recordName}`, `${path}/versions`, program]
      : [file];
  return (await Promise.all(files.map((one) => stamp(join(root, one))))).join("\n");
};

/** Reads a skill of a folder, or hands out what was read when nothing has changed since. */
export const rememberSkills = (root: string): ((place: SkillPlace) => Promise<StoredSkill | undefined>) => {
  const known = new Map<string, { readonly stamps: string; readonly skill: StoredSkill }>();
  return async (place) => {
    const key = place.file ?? place.path;
    const before = known.get(key);
    if (before !== undefined && (await stampAll(root, place, before.skill.file)) === before.stamps)
      return before.skill;
    known.delete(key);
    const guess = before?.skill.file ?? `${place.path}/scripts/main.ts`;
    // Before it is read: what changes meanwhile is read again the next time.
    const early = await stampAll(root, place, guess);
    const skill = await readSkill(root, place);
    if (skill === undefined) return undefined;
    // A program that is another file than was thought is remembered the next time.
    const isGuessed = place.file !== undefined || skill.file === guess;
    known.set(key, { stamps: isGuessed ? early : "", skill });
    const [oldest] = known.keys();
    if (known.size > mostRemembered && oldest !== undefined) known.delete(oldest);
    return skill;
  };
};
