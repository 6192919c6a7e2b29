// Reads one skill from its folder: its SKILL.md (read leniently, written strictly), program and record, and whether someone edited it since.
import { hash } from "node:crypto";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { type Fields, isFields, type SkillRecord, type StoredSkill } from "../../../contracts/index.js";
import { documentName, findEntry, readBytes, readText, type SkillPlace, toLanguage } from "./skill-tree.js";

export const recordName = "skill.json";
const format = "mcp-coordinator/skill";

export const toHash = (content: string | Uint8Array): string => `sha256:${hash("sha256", content)}`;

export const renderRecord = (record: SkillRecord): string =>
  `${JSON.stringify({ format, ...record }, undefined, 2)}\n`;

/** Undefined if the record is damaged: the skill then counts as hand-written. */
const parseRecord = (text: string | undefined): SkillRecord | undefined => {
  try {
    const { format: found, ...record } = JSON.parse(text ?? "") as SkillRecord & {
      readonly format?: unknown;
    };
    const isRecord =
      found === format &&
      Number.isSafeInteger(record.version) &&
      [record.title, record.description, record.entry].every((one) => typeof one === "string") &&
      Array.isArray(record.tags) &&
      Array.isArray(record.pins) &&
      typeof record.hashes === "object" &&
      typeof record.source === "object";
    return isRecord ? record : undefined;
  } catch {
    return undefined;
  }
};

const isChanged = async (root: string, folder: string, record: SkillRecord): Promise<boolean> => {
  for (const [file, known] of Object.entries(record.hashes)) {
    const content = await readBytes(root, `${folder}/${file}`);
    if (content === undefined || toHash(content) !== known) return true;
  }
  return false;
};

const readCategory = (path: string): string | undefined => {
  const at = path.lastIndexOf("/");
  return at < 0 ? undefined : path.slice(0, at);
};

/** Characters at the start of a file that are searched for a comment. */
const maxCommentStart = 8192;
const maxComment = 1024;

/** The first comment of a file: the description of a skill without a document. */
const readComment = (source: string): string => {
  const [, block, line, text] =
    /^(?:\/\*\*?([\s\S]*?)\*\/|(?:\/\/|#)[ \t]*(.*)|(?:"""|''')([\s\S]*?)(?:"""|'''))/.exec(
      source.trimStart().slice(0, maxCommentStart),
    ) ?? [];
  const lines = block?.split("\n").map((one) => one.trimStart().replace(/^\*/, ""));
  return (lines?.join(" ") ?? line ?? text ?? "").replace(/\s+/g, " ").trim().slice(0, maxComment);
};

/** Older versions, oldest first. */
export const listOlder = async (root: string, path: string): Promise<readonly number[]> => {
  const names = await readdir(join(root, path, "versions")).catch(() => []);
  return names
    .filter((name) => /^[1-9]\d{0,8}$/.test(name))
    .map(Number)
    .sort((one, other) => one - other);
};

const readSingleFile = async (
  root: string,
  place: SkillPlace,
  file: string,
): Promise<StoredSkill | undefined> => {
  const source = await readText(root, file);
  if (source === undefined) return undefined;
  return {
    name: place.name,
    path: place.path,
    category: readCategory(place.path),
    description: readComment(source),
    tags: [],
    language: toLanguage(file),
    version: 1,
    versions: [1],
    file,
    source,
    isEdited: false,
  };
};

/** Undefined if there is no program. */
export const readSkill = async (root: string, place: SkillPlace): Promise<StoredSkill | undefined> => {
  const { path, name } = place;
  if (place.file !== undefined) return readSingleFile(root, place, place.file);
  const text = await readText(root, `${path}/${documentName}`);
  const document = await parseDocument(text ?? "");
  const record = parseRecord(await readText(root, `${path}/${recordName}`));
  const entry = await findEntry(root, place, document?.entry ?? record?.entry);
  const source = entry === undefined ? undefined : await readText(root, `${path}/${entry}`);
  if (entry === undefined || source === undefined) return undefined;
  const older = await listOlder(root, path);
  const version = record?.version ?? document?.version ?? (older.at(-1) ?? 0) + 1;
  return {
    name,
    path,
    category: readCategory(path),
    description: document?.description || record?.description || readComment(source),
    tags: document?.tags ?? record?.tags ?? [],
    language: toLanguage(entry),
    version,
    versions: [...older.filter((one) => one !== version), version],
    file: `${path}/${entry}`,
    source,
    documentHash: text === undefined ? undefined : hash("sha256", text),
    record,
    isEdited: record !== undefined && (await isChanged(root, path, record)),
  };
};

/** An older version, from its own folder. */
export const readVersion = async (
  root: string,
  newest: StoredSkill,
  version: number,
): Promise<StoredSkill | undefined> => {
  if (version === newest.version) return newest;
  if (!newest.versions.includes(version)) return undefined;
  const folder = `${newest.path}/versions/${version}`;
  const record = parseRecord(await readText(root, `${folder}/${recordName}`));
  const entry = await findEntry(root, { path: folder, name: newest.name }, record?.entry);
  const source = entry === undefined ? undefined : await readText(root, `${folder}/${entry}`);
  if (entry === undefined || source === undefined) return undefined;
  return {
    ...newest,
    description: record?.description ?? newest.description,
    tags: record?.tags ?? newest.tags,
    language: toLanguage(entry),
    version,
    file: `${folder}/${entry}`,
    source,
    documentHash: undefined,
    record,
    isEdited: record !== undefined && (await isChanged(root, folder, record)),
  };
};

const maxCached = 2000;

/** A program cannot set the change time of a file, and a replaced file has another inode. */
const stamp = async (path: string): Promise<string> => {
  const stats = await lstat(path, { bigint: true }).catch(() => undefined);
  return stats === undefined ? "" : `${stats.ino} ${stats.ctimeNs} ${stats.size}`;
};

const stampAll = async (root: string, { path, file }: SkillPlace, program: string): Promise<string> => {
  const files =
    file === undefined
      ? [`${path}/${documentName}`, `${path}/${recordName}`, `${path}/versions`, program]
      : [file];
  return (await Promise.all(files.map((one) => stamp(join(root, one))))).join("\n");
};

/** Reads skills and caches each one until one of its files changes: lists are requested often. */
export const cacheSkills = (root: string): ((place: SkillPlace) => Promise<StoredSkill | undefined>) => {
  const known = new Map<string, { readonly stamps: string; readonly skill: StoredSkill }>();
  return async (place) => {
    const key = place.file ?? place.path;
    const before = known.get(key);
    if (before !== undefined && (await stampAll(root, place, before.skill.file)) === before.stamps)
      return before.skill;
    known.delete(key);
    const guess = before?.skill.file ?? `${place.path}/scripts/main.ts`;
    // Before reading: a change during the read is then noticed the next time.
    const early = await stampAll(root, place, guess);
    const skill = await readSkill(root, place);
    if (skill === undefined) return undefined;
    // If the program is another file than guessed, the skill is cached the next time.
    const isGuessed = place.file !== undefined || skill.file === guess;
    known.set(key, { stamps: isGuessed ? early : "", skill });
    const [oldest] = known.keys();
    if (known.size > maxCached && oldest !== undefined) known.delete(oldest);
    return skill;
  };
};

interface SkillDocument {
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly version?: number | undefined;
  readonly entry?: string | undefined;
}

const prefix = "mcp-coordinator";
const maxDescription = 1024;
/** Longer front matter is read line by line and not parsed as YAML. */
const maxYaml = 16 * 1024;

/** Line ends of YAML and invisible characters: written as escapes. */
const escaped = /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** A quoted scalar: always one value on one line, whatever the text contains. */
const quote = (text: string): string =>
  JSON.stringify(text.toWellFormed()).replace(
    escaped,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/** Shortens a description to the length that the format allows. */
export const toDescription = (text: string): string => {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > maxDescription ? `${line.slice(0, maxDescription - 1).trimEnd()}…` : line;
};

export const renderDocument = (
  { name, description, tags, version, entry = "" }: Required<SkillDocument>,
  body: string,
): string =>
  [
    "---",
    `name: ${name}`,
    `description: ${quote(toDescription(description))}`,
    "metadata:",
    `  ${prefix}.version: "${version}"`,
    `  ${prefix}.entry: ${quote(entry)}`,
    ...(tags.length === 0 ? [] : [`  ${prefix}.tags: ${quote(tags.join(", "))}`]),
    "---",
    "",
    `${body.trim()}\n`,
  ].join("\n");

const readScalar = (value: unknown): string | undefined =>
  typeof value === "string" || typeof value === "number" ? String(value) : undefined;

const readTags = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : (readScalar(value) ?? "").split(","))
    .map((tag) => String(tag).trim())
    .filter((tag) => tag !== "" && tag.length <= 100)
    .slice(0, 50);

/** For invalid YAML, usually an unquoted colon in a description: takes each line literally. */
const readLoosely = (matter: string): Fields =>
  Object.fromEntries(
    [...matter.matchAll(/^([a-z-]+):[ \t]+(\S.*)$/gm)].map(([, key = "", value = ""]) => [key, value.trim()]),
  );

/** Undefined if there is no front matter. */
export const parseDocument = async (text: string): Promise<SkillDocument | undefined> => {
  const [, matter] = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text) ?? [];
  if (matter === undefined) return undefined;
  let fields: Fields;
  try {
    if (matter.length > maxYaml) throw new RangeError("Too long for front matter");
    const { parse } = await import("yaml");
    const parsed: unknown = parse(matter, { logLevel: "error" });
    fields = isFields(parsed) ? parsed : {};
  } catch {
    fields = readLoosely(matter.slice(0, maxYaml));
  }
  const metadata = isFields(fields.metadata) ? fields.metadata : {};
  const version = Number(readScalar(metadata[`${prefix}.version`]) ?? Number.NaN);
  const entry = readScalar(metadata[`${prefix}.entry`]);
  return {
    name: readScalar(fields.name) ?? "",
    description: toDescription(readScalar(fields.description) ?? ""),
    tags: readTags(metadata[`${prefix}.tags`] ?? metadata.tags ?? fields.tags),
    version: Number.isSafeInteger(version) && version > 0 ? version : undefined,
    entry,
  };
};
