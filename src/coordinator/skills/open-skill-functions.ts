// The skill functions of one run: saves skills, and finds those for its language and servers.
import {
  CoordinatorError,
  type Language,
  type SkillFacts,
  type SkillFunctions,
  type StoredSkill,
} from "../../contracts/index.js";
import type { Host } from "../host/host.js";
import { checkSkill } from "./check-skill.js";
import { describeSkill, findSkill, toModuleName } from "./find-skill.js";
import { searchSkills } from "./list-skills.js";
import { writeSkill } from "./write-skill.js";

export interface SkillFunctionsOptions {
  readonly runId: string;
  readonly language: Language;
  /** The servers that the run may use. Undefined means all. */
  readonly servers: readonly string[] | undefined;
}

/** Stops a program that saves endlessly before it fills the disk. */
const maxSaved = 20;

export const openSkillFunctions = (
  all: Host,
  { runId, language, servers }: SkillFunctionsOptions,
): SkillFunctions => {
  let saved = 0;
  // A restricted run must not learn of skills that it may not use.
  const host: Host =
    servers === undefined
      ? all
      : {
          ...all,
          configuration: {
            ...all.configuration,
            servers: all.configuration.servers.filter(({ name }) => servers.includes(name)),
          },
        };
  const isUsable = ({ record }: StoredSkill): boolean =>
    record?.pins.every(({ server }) => servers?.includes(server) ?? true) ?? true;
  const listUsable = async (): Promise<readonly StoredSkill[]> =>
    (await (await host.skills.open()).list()).filter(isUsable);

  return {
    save: async (draft) => {
      if (++saved > maxSaved)
        throw new CoordinatorError(
          "LIMIT_CALLS",
          `Cannot save the skill "${draft.name}": one run saves at most ${maxSaved}`,
        );
      return toFacts(host, await writeSkill(host, { language, ...draft }, { kind: "program", runId }));
    },
    list: async () =>
      Promise.all(
        (await listUsable()).map(async (skill) => {
          const { state } = await checkSkill(host, skill);
          return { ...(await toFacts(host, skill)), isBroken: state === "broken" || undefined };
        }),
      ),
    search: async (query, limit) => {
      const found = await searchSkills(host, { query, limit });
      return found.map(({ path, description, language: written, version, tags, importLine, signature }) => ({
        name: path,
        description,
        language: written,
        version,
        tags,
        importLine,
        signature,
      }));
    },
    show: async (name, version) => {
      const skill = await findSkill(host, { name, version });
      if (!isUsable(skill))
        throw new CoordinatorError(
          "SKILL_UNKNOWN",
          `Cannot find the skill "${name.slice(0, 100)}": this run cannot use a skill of that name`,
        );
      return { ...(await toFacts(host, skill)), code: skill.source };
    },
  };
};

const toFacts = async (host: Host, skill: StoredSkill): Promise<SkillFacts> => {
  const described = await describeSkill(host, skill);
  const { path, description, language, version, tags } = skill;
  return {
    name: path,
    description,
    language,
    version,
    tags,
    importLine: described?.importLine ?? `import "${toModuleName(skill)}";`,
    signature: described?.signature ?? "",
  };
};
