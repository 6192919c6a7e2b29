// Lists, searches, shows and deletes skills, and offers them as resources: `skill://<path>/SKILL.md` and the text files beside it.
import { isUtf8 } from "node:buffer";
import { hash } from "node:crypto";
import {
  type JsonObject,
  type Language,
  type ProgramDiagnostic,
  proposedCategory,
  type SkillPin,
  type SkillSource,
  type StoredSkill,
  type Tool,
} from "../../contracts/index.js";
import { buildSearchIndex } from "../../search/index.js";
import { forWorkspace, type Host } from "../host/host.js";
import { type LibraryResource, mimeTypes, resourceUnknown } from "../library/library-addresses.js";
import type { ResourceText } from "../library/read-resource.js";
import { readWordVectors } from "../servers/read-word-vectors.js";
import { checkSkill, type SkillState } from "./check-skill.js";
import { describeSkill, findSkill, type InWorkspace, type SkillName, toModuleName } from "./find-skill.js";
import { isWithheld, readIntegrity, type SkillIntegrity, toMark, verifySkill } from "./sign-skills.js";

/** One skill as `listSkills` lists it. */
export interface SkillSummary {
  readonly name: string;
  /** With its category, as it is imported. */
  readonly path: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly language: Language;
  readonly version: number;
  readonly versions: readonly number[];
  /** Completed runs that used it. */
  readonly uses: number;
  readonly importLine: string;
  readonly signature: string;
  readonly state: SkillState;
  /** One of its files differs from what was saved. */
  readonly isEdited: boolean;
  /** Undefined if the setting `skillSignatures` is off. */
  readonly integrity?: SkillIntegrity | undefined;
  /** Tools that have changed or gone since it was saved. */
  readonly changedTools: readonly string[];
  /** It is shared by all workspaces and cannot be changed from this one. */
  readonly isShared: boolean;
  /** Absent if a person wrote it. */
  readonly source?: SkillSource | undefined;
  /** When this version was saved. Absent if a person wrote it. */
  readonly savedAt?: string | undefined;
}

/** One skill in full: its code, parameters and state. */
export interface SkillDescription extends SkillSummary {
  /** Relative to the skills folder. */
  readonly file: string;
  readonly code: string;
  readonly parameters: JsonObject;
  /** A call with valid parameters. */
  readonly example: string;
  readonly diagnostics: readonly ProgramDiagnostic[];
  readonly pins: readonly SkillPin[];
  readonly hasTest: boolean;
  /** After saving: why it fails the recorded test of the previous version, which it keeps. */
  readonly failedTest?: string | undefined;
}

export interface ListSkillsRequest extends InWorkspace {
  /** @default "uses": most used first */
  readonly order?: "uses" | "name" | undefined;
  readonly tag?: string | undefined;
  readonly category?: string | undefined;
}

export interface SearchSkillsRequest extends InWorkspace {
  readonly query: string;
  readonly limit?: number | undefined;
}

/** A file of a skill. */
export interface SkillFile {
  readonly path: string;
  readonly content: Uint8Array;
}

const defaultHits = 10;

export const listSkills = async (
  all: Host,
  { order = "uses", tag, category, workspace }: ListSkillsRequest = {},
): Promise<readonly SkillSummary[]> => {
  const host = forWorkspace(all, workspace);
  const wanted = (await (await host.skills.open()).list()).filter(
    (skill) =>
      (tag === undefined || skill.tags.includes(tag)) &&
      (category === undefined || skill.category === category || skill.category?.startsWith(`${category}/`)),
  );
  const usesOf = await host.skills.readUses();
  const skills: SkillSummary[] = [];
  for (const skill of wanted) skills.push(await toSummary(host, skill, usesOf));
  return order === "name" ? skills : skills.sort((one, other) => other.uses - one.uses);
};

const toSummary = async (
  host: Host,
  skill: StoredSkill,
  usesOf: (path: string) => number,
): Promise<SkillSummary> => {
  const [described, verdict] = await Promise.all([describeSkill(host, skill), checkSkill(host, skill)]);
  const { name, path, tags, language, version, versions, isEdited, record } = skill;
  return {
    name,
    path,
    description: skill.description || (described?.function.description ?? ""),
    tags,
    language,
    version,
    versions,
    uses: usesOf(path),
    importLine: described?.importLine ?? `import "${toModuleName(skill)}";`,
    signature: described?.signature ?? "",
    state: verdict.state,
    isEdited,
    integrity: await readIntegrity(host, skill),
    changedTools: verdict.changedTools,
    isShared: skill.isShared === true,
    source: record?.source,
    savedAt: record?.savedAt,
  };
};

export const toSkillDescription = async (host: Host, skill: StoredSkill): Promise<SkillDescription> => {
  const store = await host.skills.open();
  const [described, verdict, usesOf, cassette] = await Promise.all([
    describeSkill(host, skill),
    checkSkill(host, skill),
    host.skills.readUses(),
    store.readCassette(skill),
  ]);
  return {
    ...(await toSummary(host, skill, usesOf)),
    file: skill.file,
    code: skill.source,
    parameters: described?.function.parameters ?? {},
    example: described?.example ?? "",
    diagnostics: verdict.diagnostics,
    pins: skill.record?.pins ?? [],
    hasTest: cassette !== undefined,
  };
};

export const showSkill = async (all: Host, request: SkillName): Promise<SkillDescription> => {
  const host = forWorkspace(all, request.workspace);
  return toSkillDescription(host, await findSkill(host, request));
};

export const deleteSkill = async (all: Host, { name, version, workspace }: SkillName): Promise<boolean> => {
  const { skills } = forWorkspace(all, workspace);
  const store = await skills.open();
  const found = await store.find(name);
  const isRemoved = await store.remove(name, version);
  if (isRemoved && found !== undefined) await skills.signing.forget(found, version);
  return isRemoved;
};

/** For agents. If signatures are required, only what was signed: throws SKILL_UNSIGNED, and leaves out other files. */
export const readSkillFiles = async (
  all: Host,
  { name, workspace }: Omit<SkillName, "version">,
): Promise<readonly SkillFile[]> => {
  const host = forWorkspace(all, workspace);
  const skill = await findSkill(host, { name });
  await verifySkill(host, skill);
  const files = await (await host.skills.open()).readFiles(skill.path);
  // A recorded test contains answers of servers, which not every reader of skills may see.
  const texts = files.filter(({ path, content }) => !path.startsWith("tests/") && isUtf8(content));
  if (host.configuration.settings.skillSignatures !== "strict") return texts;
  const isShown = await Promise.all(texts.map((text) => isSigned(host, skill, text)));
  return texts.filter((_text, at) => isShown[at]);
};

/** Compares the content itself: it was read after the skill was judged. */
const isSigned = async (host: Host, skill: StoredSkill, { path, content }: SkillFile): Promise<boolean> => {
  const source = Buffer.from(content).toString("utf8");
  const file = `${skill.path}/${path}`;
  if (file === skill.file) return source === skill.source;
  if (path === "SKILL.md") return hash("sha256", source) === skill.documentHash;
  return (await host.skills.signing.verifyModule({ file, source })) === "signed";
};

interface SearchableSkill {
  readonly skill: StoredSkill;
  readonly tool: Tool;
}

/** Skills that a search may find: not proposed ones, which nobody has reviewed, and only if their servers are available. */
export const listSearchable = async (host: Host): Promise<readonly SearchableSkill[]> => {
  const servers = new Set(host.configuration.servers.map(({ name }) => name));
  const all = await (await host.skills.open()).list();
  const found = await Promise.all(
    all.map(async (skill) => {
      const isHidden =
        skill.category?.split("/")[0] === proposedCategory ||
        skill.record?.pins.some(({ server }) => !servers.has(server)) === true;
      const described = isHidden ? undefined : await describeSkill(host, skill);
      return described === undefined ? [] : [{ skill, tool: described.tool }];
    }),
  );
  return found.flat();
};

export const searchSkills = async (
  all: Host,
  { query, limit = defaultHits, workspace }: SearchSkillsRequest,
): Promise<readonly SkillSummary[]> => {
  const host = forWorkspace(all, workspace);
  const searchable = await listSearchable(host);
  const skillOf = new Map(searchable.map(({ tool, skill }) => [tool, skill]));
  const tools = searchable.map(({ tool }) => tool);
  const { hits } = buildSearchIndex(tools, { vectors: await readWordVectors() }).search(query, { limit });
  const usesOf = await host.skills.readUses();
  const found = await Promise.all(
    hits.map(async ({ tool }) => {
      const skill = skillOf.get(tool);
      return skill === undefined ? [] : [await toSummary(host, skill, usesOf)];
    }),
  );
  // What a search finds is about to be called, so check it.
  const isStrict = host.configuration.settings.skillSignatures === "strict";
  return found
    .flat()
    .filter(({ state, integrity }) => state !== "broken" && (!isStrict || integrity === "signed"));
};

const scheme = "skill://";

export const isSkillAddress = (uri: string): boolean => uri.startsWith(scheme);

/** Skills with a SKILL.md. A skill in a single file has none. */
export const listSkillResources = async (host: Host): Promise<readonly LibraryResource[]> => {
  const skills = await (await host.skills.open()).list();
  const documented = skills.filter(({ path, file }) => file.startsWith(`${path}/`));
  const listed = await Promise.all(
    documented.map(async (skill) => {
      if (await isWithheld(host, skill)) return [];
      const { path, description } = skill;
      const isBroken = (await checkSkill(host, skill)).state === "broken";
      const mark = toMark(await readIntegrity(host, skill));
      const named = description === "" ? `The skill "${path}"` : description;
      const shown = mark === undefined ? named : `${mark}: ${named}`;
      const resource = {
        uri: `${scheme}${path}/SKILL.md`,
        name: path,
        description: isBroken ? `Broken, cannot be run: ${shown}` : shown,
        mimeType: mimeTypes.markdown,
      };
      return [resource];
    }),
  );
  return listed.flat();
};

const toMimeType = (file: string): string => {
  if (file.endsWith(".md")) return mimeTypes.markdown;
  if (file.endsWith(".py")) return mimeTypes.python;
  if (file.endsWith(".json")) return "application/json";
  return /\.[mc]?ts$/.test(file) ? mimeTypes.typescript : "text/plain";
};

export const readSkillResource = async (host: Host, uri: string): Promise<ResourceText> => {
  const wanted = uri.slice(scheme.length);
  const skills = await (await host.skills.open()).list();
  const skill = skills.find(({ path }) => wanted.startsWith(`${path}/`));
  if (skill === undefined) throw resourceUnknown(uri, "there is no such skill");
  const name = wanted.slice(skill.path.length + 1);
  const file = (await readSkillFiles(host, { name: skill.path })).find(({ path }) => path === name);
  if (file === undefined || !isUtf8(file.content))
    throw resourceUnknown(uri, `the skill "${skill.path}" has no such file`);
  return { uri, mimeType: toMimeType(name), text: Buffer.from(file.content).toString("utf8") };
};
