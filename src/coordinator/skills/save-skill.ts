// Saves a program as a skill or as its next version, and reports whether it still passes the recorded test.
import type { SkillSource } from "../../contracts/index.js";
import { forWorkspace, type Host } from "../host/host.js";
import { findSkill } from "./find-skill.js";
import { type SkillDescription, toSkillDescription } from "./list-skills.js";
import { findTestFailure } from "./test-skill.js";
import { type SaveSkillRequest, writeSkill } from "./write-skill.js";

export type UpdateSkillRequest = Partial<Omit<SaveSkillRequest, "name" | "category" | "runId">> &
  Pick<SaveSkillRequest, "name">;

export const saveSkill = async (
  all: Host,
  request: SaveSkillRequest,
  source: SkillSource = { kind: "library" },
): Promise<SkillDescription> => {
  const host = forWorkspace(all, request.workspace);
  const skill = await writeSkill(host, request, source);
  const described = await toSkillDescription(host, skill);
  if (request.runId !== undefined || !described.hasTest) return described;
  return { ...described, failedTest: await findTestFailure(host, skill) };
};

export const updateSkill = async (all: Host, request: UpdateSkillRequest): Promise<SkillDescription> => {
  const host = forWorkspace(all, request.workspace);
  const before = await findSkill(host, { name: request.name });
  const { category } = before;
  return saveSkill(host, {
    description: before.description,
    tags: before.tags,
    language: before.language,
    code: before.source,
    ...request,
    name: before.record?.title ?? before.name,
    category,
  });
};
