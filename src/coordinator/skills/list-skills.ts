// Lists, searches, shows and deletes skills.
import { isUtf8 } from "node:buffer";
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
import { checkSkill, type SkillState } from "./check-skill.js";
import { describeSkill, findSkill, type InWorkspace, type SkillName, toModuleName } from "./find-skill.js";

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
  /** Tools that have changed or gone since it was saved. */
  readonly changedTools: readonly string[];
  /** It is shared by all workspaces and cannot be changed from this one. */
  readonly isShared: boolean;
  /** Absent if a person wrote it. */
  readonly source?: SkillSource | undefined;
  /** When this version was saved. Absent if a person wrote it. */
  readonly savedAt?: string | undefined;
}

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

export const deleteSkill = async (host: Host, { name, version, workspace }: SkillName): Promise<boolean> => {
  const store = await forWorkspace(host, workspace).skills.open();
  return store.remove(name, version);
};

export const readSkillFiles = async (
  all: Host,
  { name, workspace }: Omit<SkillName, "version">,
): Promise<readonly SkillFile[]> => {
  const host = forWorkspace(all, workspace);
  const skill = await findSkill(host, { name });
  const files = await (await host.skills.open()).readFiles(skill.path);
  // A recorded test contains answers of servers, which not every reader of skills may see.
  return files.filter(({ path, content }) => !path.startsWith("tests/") && isUtf8(content));
};

export interface SearchableSkill {
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
  const { hits } = buildSearchIndex(searchable.map(({ tool }) => tool)).search(query, { limit });
  const usesOf = await host.skills.readUses();
  const found = await Promise.all(
    hits.map(async ({ tool }) => {
      const skill = skillOf.get(tool);
      return skill === undefined ? [] : [await toSummary(host, skill, usesOf)];
    }),
  );
  // What a search finds is about to be called, so check it.
  return found.flat().filter(({ state }) => state !== "broken");
};
