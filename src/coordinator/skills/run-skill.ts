// Runs a skill by name: validates its parameters, writes a program with one call and runs it like any other.
import { validateArguments } from "../../catalog/index.js";
import {
  CoordinatorError,
  type JsonObject,
  type RunRequest,
  type RunResult,
  type StoredSkill,
} from "../../contracts/index.js";
import { forWorkspace, type Host } from "../host/host.js";
import { toExactArguments } from "../runs/exact-arguments.js";
import { type RunOptions, runCode } from "../runs/run-code.js";
import { refuseBroken } from "./check-skill.js";
import {
  type DescribedSkill,
  describeSkill,
  findSkill,
  renderSkillCall,
  type SkillName,
} from "./find-skill.js";

export type RunSkillRequest = Omit<RunRequest, "code" | "language" | "session" | "workspace"> &
  SkillName & { readonly parameters?: JsonObject | undefined };

export const runSkill = async (
  all: Host,
  { name, version, parameters = {}, workspace, ...rest }: RunSkillRequest,
): Promise<RunResult> => {
  const host = forWorkspace(all, workspace);
  const request = { ...rest, workspace };
  const skill = await findSkill(host, { name, version });
  return runStored(host, skill, parameters, request);
};

/** Runs a skill that has already been found. */
export const runStored = async (
  host: Host,
  skill: StoredSkill,
  given: JsonObject,
  request: Omit<RunRequest, "code" | "language">,
  options: RunOptions = {},
): Promise<RunResult> => {
  const parameters = toExactArguments(given, `run the skill "${skill.path}"`);
  const described = await describeSkill(host, skill);
  if (described === undefined)
    throw new CoordinatorError(
      "SKILL_BROKEN",
      `Cannot run the skill "${skill.path}": it exports no function`,
      { hint: "Export a function from its file." },
    );
  validateParameters(skill, described, parameters);
  if (request.isChecked !== false) await refuseBroken(host, skill);
  const call = renderSkillCall(skill.language, described.function, parameters);
  const code =
    skill.language === "python"
      ? `${described.importLine}\n${call}\n`
      : `${described.importLine}\nreturn ${call};\n`;
  return runCode(host, { ...request, code, language: skill.language }, options);
};

/** Rewords an error about a tool's arguments for a skill. */
const validateParameters = (skill: StoredSkill, { tool }: DescribedSkill, parameters: JsonObject): void => {
  try {
    validateArguments({ ...tool, server: "skills", name: skill.path }, parameters);
  } catch (thrown) {
    if (!(thrown instanceof CoordinatorError)) throw thrown;
    throw new CoordinatorError(
      thrown.code,
      thrown.message.replace(/^Cannot call "[^"]*"/, `Cannot run the skill "${skill.path}"`),
      { hint: thrown.hint },
    );
  }
};
