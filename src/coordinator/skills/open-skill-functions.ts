// The skill functions of one run: saves skills, and finds those for its language and servers. After it: counts their use and proposes its program.
import { type PreparedModule, toFunctionName } from "../../checker/index.js";
import {
  type CallRecord,
  CoordinatorError,
  type Language,
  proposedCategory,
  type RunRequest,
  type SkillFacts,
  type SkillFunctions,
  type StoredSkill,
} from "../../contracts/index.js";
import { toSkillModule } from "../checks/checker.js";
import { isSkillPath, type ReachedAdapters } from "../checks/collect-adapters.js";
import type { Host } from "../host/host.js";
import { narrowHost } from "../runs/run-rights.js";
import { checkSkill } from "./check-skill.js";
import { describeSkill, findSkill, toModuleName } from "./find-skill.js";
import { searchSkills } from "./list-skills.js";
import { isWithheld, readIntegrity, verifySkill } from "./sign-skills.js";
import { writeSkill } from "./write-skill.js";

interface SkillFunctionsOptions {
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
  const host = narrowHost(all, servers);
  const isUsable = ({ record }: StoredSkill): boolean =>
    record?.pins.every(({ server }) => servers?.includes(server) ?? true) ?? true;
  const listUsable = async (): Promise<readonly StoredSkill[]> => {
    const usable: StoredSkill[] = [];
    for (const skill of await (await host.skills.open()).list())
      if (isUsable(skill) && !(await isWithheld(host, skill))) usable.push(skill);
    return usable;
  };

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
      return found.map(({ path, language: written, importLine, signature, ...facts }) => ({
        integrity: facts.integrity,
        name: path,
        description: facts.description,
        language: written,
        version: facts.version,
        tags: facts.tags,
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
      await verifySkill(host, skill);
      return { ...(await toFacts(host, skill)), code: skill.source };
    },
  };
};

const toFacts = async (host: Host, skill: StoredSkill): Promise<SkillFacts> => {
  const described = await describeSkill(host, skill);
  const { path, description, language, version, tags } = skill;
  return {
    integrity: await readIntegrity(host, skill),
    name: path,
    description,
    language,
    version,
    tags,
    importLine: described?.importLine ?? `import "${toModuleName(skill)}";`,
    signature: described?.signature ?? "",
  };
};

/** A folder above a skill is an empty module in Python. */
const isSkill = ({ file, text }: PreparedModule): boolean => isSkillPath(file) && text !== "";

/** The skills whose files are among the modules, by path. */
const listReached = ({ modules }: ReachedAdapters): readonly string[] => {
  const files = modules.filter(isSkill).map(({ file }) => file.slice("skills/".length));
  const paths = files.map((file) =>
    // bounded: a path of a file
    file.replace(/\/(?:versions\/\d+\/)?(?:scripts\/.*|(?:main|index)\.\w+)$/, "").replace(/\.\w+$/, ""),
  );
  return [...new Set(paths)];
};

interface EndedProgram {
  readonly runId: string;
  readonly request: RunRequest;
  readonly adapters: ReachedAdapters;
  readonly calls: readonly CallRecord[];
}

/** Called after a completed run. Never fails it. */
export const noteSkills = async (host: Host, ended: EndedProgram): Promise<void> => {
  try {
    const reached = listReached(ended.adapters);
    for (const path of reached) host.skills.noteUse(path);
    if (host.configuration.settings.proposeSkills && reached.length === 0) await propose(host, ended);
  } catch {
    // A failed write of a count or a proposal must not fail the program.
  }
};

/** A program is proposed if it called tools and another run could repeat it. */
const propose = async (host: Host, { runId, request, calls }: EndedProgram): Promise<void> => {
  const tools = [...new Set(calls.map(({ tool }) => tool))];
  if (tools.length === 0 || request.session !== undefined) return;
  const name = tools
    .slice(0, 4)
    .map((tool) => tool.replace(/[^A-Za-z0-9]+/g, "-"))
    .join("-and-")
    .slice(0, 50)
    // bounded: cut to 50 characters above
    .replace(/^-+|-+$/g, "");
  const store = await host.skills.open();
  const known = (await store.list()).map(({ source }) => source.replace(/\s+/g, ""));
  const language = request.language ?? "typescript";
  const functionName = toFunctionName(name, language);
  const code = await toSkillModule(host.requester, {
    code: request.code,
    language,
    functionName,
    parameters: {},
  });
  if (known.includes(code.replace(/\s+/g, ""))) return;
  await writeSkill(
    host,
    {
      name,
      code,
      language,
      category: proposedCategory,
      description: `Proposed from a successful program. It calls ${[...new Set(calls.map(({ server, tool }) => `${server}.${tool}`))].join(", ")}.`,
    },
    { kind: "proposal", runId },
  );
};
