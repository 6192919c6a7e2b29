// Saves a program as a skill, or its next version, and tells whether that still passes the recorded test.
import type { SkillSource } from "../contracts/index.js";
import { toSkillDescription } from "./list-skills.js";
import { forWorkspace, type Rooms } from "./opening/rooms.js";
import { findSkill } from "./shelf/find-skill.js";
import { writeSkill } from "./shelf/write-skill.js";
import type { SaveSkillRequest, SkillDescription, UpdateSkillRequest } from "./skills.js";
import { findTestFailure } from "./test-skill.js";

export const saveSkill = async (
  all: Rooms,
  request: SaveSkillRequest,
  source: SkillSource = { kind: "library" },
): Promise<SkillDescription> => {
  const rooms = forWorkspace(all, request.workspace);
  const skill = await writeSkill(rooms, request, source);
  const described = await toSkillDescription(rooms, skill);
  if (request.runId !== undefined || !described.hasTest) return described;
  return { ...described, failedTest: await findTestFailure(rooms, skill) };
};

export const updateSkill = async (all: Rooms, request: UpdateSkillRequest): Promise<SkillDescription> => {
  const rooms = forWorkspace(all, request.workspace);
  const before = await findSkill(rooms, { name: request.name });
  const { category } = before;
  return saveSkill(rooms, {
    description: before.description,
    tags: before.tags,
    language: before.language,
    code: before.source,
    ...request,
    name: before.record?.title ?? before.name,
    category,
  });
};
