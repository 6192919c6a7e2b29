// Writes skills: a new one appears as a whole, a new version only after the previous one is archived.
import { randomBytes } from "node:crypto";
import { cp, lstat, mkdir, rename, rm } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import {
  CoordinatorError,
  type JsonObject,
  type NewSkill,
  type SkillRecord,
  type StoredSkill,
} from "../../../contracts/index.js";
import { writeFileAtomically } from "../../file-io.js";
import { recordName, renderDocument, renderRecord, toDescription, toHash } from "./read-skill.js";
import { documentName } from "./skill-tree.js";

export interface WritePlace {
  readonly root: string;
  /** In the root, with its category. */
  readonly path: string;
  readonly name: string;
  readonly isSynced: boolean;
}

export const cassetteName = "tests/recorded.jsonl";
/** Like other project files: people share these folders and put them under version control. */
const mode = 0o644;

const makeDraftName = (root: string): string => join(root, ".drafts", randomBytes(6).toString("hex"));

/** A category that is a link would lead out of the folder. */
const refuseLinks = async (root: string, path: string): Promise<void> => {
  const parts = path.split("/");
  for (let count = 1; count <= parts.length; count++) {
    const facts = await lstat(join(root, ...parts.slice(0, count))).catch(() => undefined);
    if (facts?.isSymbolicLink() === true)
      throw new CoordinatorError(
        "PATH_DENIED",
        `Cannot save "skills/${path}": a folder on the path is a link`,
      );
  }
};

const listContents = (
  { name }: WritePlace,
  { version, testParameters }: Pick<SkillRecord, "version" | "testParameters">,
  skill: NewSkill,
): readonly (readonly [file: string, content: string])[] => {
  const entry = `scripts/main.${skill.language === "python" ? "py" : "ts"}`;
  const description = toDescription(skill.description);
  const code = skill.code.endsWith("\n") ? skill.code : `${skill.code}\n`;
  const document = renderDocument(
    { name, description, tags: skill.tags, version, entry },
    skill.toDocument(name),
  );
  const record: SkillRecord = {
    title: skill.title,
    version,
    description,
    tags: skill.tags,
    language: skill.language,
    entry,
    pins: skill.pins,
    hashes: { [entry]: toHash(code), [documentName]: toHash(document) },
    savedAt: new Date().toISOString(),
    source: skill.from,
    testParameters: skill.cassette?.parameters ?? testParameters,
  };
  return [
    [entry, code],
    ...(skill.cassette === undefined ? [] : [[cassetteName, skill.cassette.text] as const]),
    [documentName, document],
    // Last: a partly written skill counts as edited, never as saved.
    [recordName, renderRecord(record)],
  ];
};

const writeContents = async (
  folder: string,
  contents: readonly (readonly [string, string])[],
  isSynced: boolean,
): Promise<void> => {
  for (const [file, content] of contents) {
    const path = join(folder, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFileAtomically(path, content, { mode, isSynced });
  }
};

/** Creates a new folder and never replaces an existing one. */
export const writeNewSkill = async (place: WritePlace, skill: NewSkill): Promise<void> => {
  const { root, path, isSynced } = place;
  await refuseLinks(root, path);
  const draft = makeDraftName(root);
  const target = join(root, path);
  try {
    await writeContents(draft, listContents(place, { version: 1 }, skill), isSynced);
    await mkdir(dirname(target), { recursive: true });
    await rename(draft, target);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
};

/** Whether the skill is `triage.ts` and not a folder `triage`. */
const isSingleFile = (path: string, { file }: StoredSkill): boolean => !file.startsWith(`${path}/`);

/** Copies the current version to `versions/`, with everything it needs to run. */
const archiveVersion = async ({ root, path }: WritePlace, skill: StoredSkill): Promise<void> => {
  const folder = join(root, path);
  const target = join(folder, "versions", String(skill.version));
  if ((await lstat(target).catch(() => undefined)) !== undefined) return;
  const draft = makeDraftName(root);
  const isFile = isSingleFile(path, skill);
  const entry = isFile ? `main${extname(skill.file)}` : skill.file.slice(path.length + 1);
  try {
    await mkdir(draft, { recursive: true });
    // Links are copied as links: reading a skill never follows them.
    const copy = (name: string, as = name): Promise<void> =>
      cp(join(folder, name), join(draft, as), { recursive: true, verbatimSymlinks: true }).catch(() => {});
    if (isFile) await cp(join(root, skill.file), join(draft, entry));
    else {
      await copy(entry.includes("/") ? dirname(entry) : entry);
      await copy("tests");
      await copy(documentName, "README.md");
    }
    const { record, language, version, description, tags } = skill;
    const archived: SkillRecord = record ?? {
      title: skill.name,
      version,
      description,
      tags,
      language,
      entry,
      pins: [],
      hashes: { [entry]: toHash(skill.source) },
      savedAt: new Date().toISOString(),
      source: { kind: "library" },
    };
    const { [documentName]: _, ...hashes } = archived.hashes;
    await writeFileAtomically(join(draft, recordName), renderRecord({ ...archived, hashes }), { mode });
    await mkdir(dirname(target), { recursive: true });
    await rename(draft, target);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
};

export const writeNextVersion = async (
  place: WritePlace,
  before: StoredSkill,
  skill: NewSkill,
): Promise<void> => {
  const { root, path, isSynced } = place;
  await refuseLinks(root, path);
  await archiveVersion(place, before);
  const folder = join(root, path);
  // Without a test of its own, it must pass the test of the previous version, which stays in place.
  const facts = { version: Math.max(...before.versions) + 1, testParameters: before.record?.testParameters };
  await writeContents(folder, listContents(place, facts, skill), isSynced);
  const entry = `${path}/scripts/main.${skill.language === "python" ? "py" : "ts"}`;
  // A single-file skill becomes a folder, with the file as its older version.
  if (before.file !== entry) await rm(join(root, before.file), { force: true });
};

export const writeTest = async (
  place: WritePlace,
  skill: StoredSkill,
  text: string,
  testParameters: JsonObject,
): Promise<void> => {
  await refuseLinks(place.root, `${place.path}/tests`);
  const folder = join(place.root, place.path);
  const contents: (readonly [string, string])[] = [[cassetteName, text]];
  if (skill.record !== undefined)
    contents.push([recordName, renderRecord({ ...skill.record, testParameters })]);
  await writeContents(folder, contents, place.isSynced);
};

/** Moves the folder away first, so that nobody sees a partly removed skill. */
export const removeFolder = async (root: string, path: string): Promise<void> => {
  const removed = makeDraftName(root);
  await mkdir(dirname(removed), { recursive: true });
  await rename(join(root, path), removed);
  await rm(removed, { recursive: true, force: true });
};
