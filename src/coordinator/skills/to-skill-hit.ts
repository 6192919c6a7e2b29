// Renders a skill as a search hit, like a tool: enough to write the call without asking again.
import { type StoredSkill, skillsName, type Tool } from "../../contracts/index.js";
import type { Host } from "../host/host.js";
import type { SearchDetail, SearchHit } from "../servers/search-tools.js";
import { describeSkill } from "./find-skill.js";

const maxSignature = 200;
const maxExample = 400;

export const toSkillHit = async (
  host: Host,
  skill: StoredSkill,
  tool: Tool,
  detail: SearchDetail,
): Promise<Omit<SearchHit, "query" | "score" | "isWeak">> => {
  const { path, language, version, name, source } = skill;
  const names = { server: skillsName, name, functionName: tool.functionName };
  const call = `${skillsName}/${path}`;
  const facts = { path, language, version };
  const described = detail === "name" ? undefined : await describeSkill(host, skill);
  if (described === undefined) return { tool: names, call, skill: facts };
  const { signature, example } = described;
  return {
    tool: { ...names, description: tool.description, isReadOnly: false },
    call,
    skill: facts,
    importLine: described.importLine,
    signature: signature.length > maxSignature ? `${signature.slice(0, maxSignature - 1)}…` : signature,
    resultFrom: "unknown",
    isDestructive: false,
    ...(example.length > maxExample ? {} : { example }),
    ...(detail === "full" ? { declaration: source } : {}),
  };
};
