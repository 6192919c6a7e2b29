// Finds a skill by name and describes how to call it: import, signature, parameters, an example, a search hit.
import { hash } from "node:crypto";
import { makeExample } from "../../catalog/index.js";
import type { SkillFunction } from "../../checker/index.js";
import { renderCall, renderPythonCall } from "../../codegen/index.js";
import {
  CoordinatorError,
  type JsonObject,
  type Language,
  type StoredSkill,
  skillsName,
  skillsServer,
  type Tool,
} from "../../contracts/index.js";
import { listFields, nearestNames } from "../../schema/index.js";
import { readSkillFunction } from "../checks/checker.js";
import { isRequesterFault, type Requester } from "../checks/checker-queue.js";
import { type Host, suggestNames } from "../host/host.js";
import type { SearchDetail, SearchHit } from "../servers/search-tools.js";

export interface InWorkspace {
  /** The workspace of the skills. @default the setting `workspace` */
  readonly workspace?: string | undefined;
}

export interface SkillName extends InWorkspace {
  /** With its category, or without if the name is unique. */
  readonly name: string;
  readonly version?: number | undefined;
}

/** Throws SKILL_UNKNOWN with the nearest names. */
export const findSkill = async (host: Host, { name, version }: SkillName): Promise<StoredSkill> => {
  const store = await host.skills.open();
  const found = await store.find(name, { version });
  if (found !== undefined) return found;
  const shown = name.slice(0, 100);
  const newest = version === undefined ? undefined : await store.find(name);
  if (newest !== undefined)
    throw new CoordinatorError(
      "SKILL_UNKNOWN",
      `Cannot find version ${version} of the skill "${shown}": it has ${newest.versions.join(", ")}`,
    );
  const skills = await store.list();
  const near = nearestNames(
    name,
    skills.map(({ path }) => path),
  );
  throw new CoordinatorError(
    "SKILL_UNKNOWN",
    `Cannot find the skill "${shown}": no skill of that name is saved`,
    {
      hint: suggestNames(
        near,
        skills.map(({ path }) => path),
        "Save it first: no skill is saved yet.",
      ),
    },
  );
};

/** The skill's module name in a program: `skills/web/read-papers`, in Python `skills.web.read_papers`. */
export const toModuleName = ({ path, language, version, versions }: StoredSkill): string => {
  const isOld = version !== versions.at(-1);
  if (language === "python")
    return [skillsName, ...path.replaceAll("-", "_").split("/"), ...(isOld ? [`v${version}`] : [])].join(".");
  return `${skillsName}/${path}${isOld ? `@${version}` : ""}`;
};

export interface DescribedSkill {
  readonly function: SkillFunction;
  readonly importLine: string;
  readonly signature: string;
  readonly example: string;
  /** Described as a tool, so that search and validation follow the same rules. */
  readonly tool: Tool;
}

/** Describes each skill once: parsing is expensive, and a new object would rebuild the search index. */
const described = new Map<string, DescribedSkill | undefined>();
const maxDescribed = 500;

/** Undefined if it exports no function: it can then be imported but not run. */
export const describeSkill = async (
  { requester }: Pick<Host, "requester">,
  skill: StoredSkill,
): Promise<DescribedSkill | undefined> => {
  const { path, version, versions, language, description, tags, source } = skill;
  const facts = [path, version, versions.at(-1), language, description, tags, source];
  const key = hash("sha256", JSON.stringify(facts));
  if (described.has(key)) return described.get(key);
  const made = await describe(requester, skill);
  described.set(key, made);
  const [oldest] = described.keys();
  if (described.size > maxDescribed && oldest !== undefined) described.delete(oldest);
  return made;
};

const describe = async (requester: Requester, skill: StoredSkill): Promise<DescribedSkill | undefined> => {
  const found = await readSkillFunction(requester, skill.source, skill).catch((thrown: unknown) => {
    if (isRequesterFault(thrown)) throw thrown;
    return undefined;
  });
  if (found === undefined) return undefined;
  const module = toModuleName(skill);
  const tool: Tool = {
    server: skillsServer,
    name: skill.name,
    functionName: found.name,
    title: skill.tags.join(" "),
    description: skill.description || found.description,
    inputSchema: found.parameters,
    isReadOnly: false,
    isDestructive: false,
    fingerprint: `${skill.path}@${skill.version}`,
  };
  return {
    function: found,
    importLine:
      skill.language === "python"
        ? `from ${module} import ${found.name}`
        : `import ${found.isDefault ? found.name : `{ ${found.name} }`} from "${module}";`,
    signature: found.signature,
    example: renderSkillCall(skill.language, found, makeExample(tool) ?? {}),
    tool,
  };
};

/** A call of its function with named parameters. */
export const renderSkillCall = (language: Language, found: SkillFunction, values: JsonObject): string => {
  const wait = found.isAsync || language === "typescript" ? "await " : "";
  if (language === "python") return wait + renderPythonCall({ name: found.name, arguments: values });
  if (found.takes === "object") return renderCall({ name: found.name, arguments: values });
  const names = listFields(found.parameters).map((field) => field.name);
  const last = names.findLastIndex((name) => Object.hasOwn(values, name));
  const given = names.slice(0, last + 1).map((name) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) return "undefined";
    // Use the notation of codegen for the single call on an object.
    return renderCall({ name: "", arguments: { value } }).replace(/^await \({ value: | }\)$/g, "");
  });
  return `${wait}${found.name}(${given.join(", ")})`;
};

const maxSignature = 200;
const maxExample = 400;

export const toSkillHit = async (
  host: Host,
  skill: StoredSkill,
  tool: Tool,
  detail: SearchDetail,
  /** Why people should look at it first. */
  mark?: string,
): Promise<Omit<SearchHit, "query" | "score" | "isWeak">> => {
  const { path, language, version, name, source } = skill;
  const names = { server: skillsName, name, functionName: tool.functionName };
  const call = `${skillsName}/${path}`;
  const facts = { path, language, version };
  const described = detail === "name" ? undefined : await describeSkill(host, skill);
  if (described === undefined) return { tool: names, call, skill: facts };
  const { signature, example } = described;
  return {
    tool: {
      ...names,
      description: mark === undefined ? tool.description : `${mark}: ${tool.description}`,
      isReadOnly: false,
    },
    call,
    skill: facts,
    importLine: described.importLine,
    signature: signature.length > maxSignature ? `${signature.slice(0, maxSignature - 1)}…` : signature,
    resultFrom: "unknown",
    isDestructive: false,
    example: example.length > maxExample ? undefined : example,
    declaration: detail === "full" ? source : undefined,
  };
};
