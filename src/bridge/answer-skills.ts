// Answers a program that saves or looks for skills: its values bound and validated as a tool's are, then the skills asked.
import type {
  GuestAnswer,
  Json,
  JsonObject,
  Limits,
  SkillDraft,
  SkillFunctions,
  Tool,
} from "../contracts/index.js";
import { CoordinatorError, skillSchemas, skillsName } from "../contracts/index.js";
import { parseArguments } from "./parse-arguments.js";

export interface SkillsOptions {
  readonly skills?: SkillFunctions;
  readonly limits: Limits;
  readonly bindArguments: (tool: Tool, values: readonly Json[]) => JsonObject;
  readonly validateArguments: (tool: Tool, value: JsonObject) => void;
}

type Answer = (skills: SkillFunctions, value: JsonObject) => Promise<unknown>;

const answers: ReadonlyMap<string, Answer> = new Map<string, Answer>([
  ["save", (skills, value) => skills.save(value as unknown as SkillDraft)],
  ["list", (skills) => skills.list()],
  [
    "search",
    (skills, { query, limit }) => skills.search(String(query), typeof limit === "number" ? limit : undefined),
  ],
  [
    "show",
    (skills, { name, version }) =>
      skills.show(String(name), typeof version === "number" ? version : undefined),
  ],
]);

const toTool = (name: string, inputSchema: JsonObject): Tool => ({
  server: skillsName,
  name,
  functionName: name,
  description: "",
  inputSchema,
  isReadOnly: name !== "save",
  isDestructive: false,
  fingerprint: name,
});

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Throws what a program did wrong; a program that may not use skills is told that there are none. */
export const answerSkills = async (
  { skills, limits, bindArguments, validateArguments }: SkillsOptions,
  name: string,
  argumentsJson: string,
): Promise<GuestAnswer> => {
  const answer = answers.get(name);
  const schema = skillSchemas.get(name);
  if (answer === undefined || schema === undefined || skills === undefined)
    throw new CoordinatorError(
      "TOOL_UNKNOWN",
      `Cannot call "${skillsName}.${name.slice(0, 80)}": programs have no such function`,
      { hint: `There are: ${[...answers.keys()].map((one) => `${skillsName}.${one}`).join(", ")}.` },
    );
  const values = parseArguments(`${skillsName}.${name}`, argumentsJson, limits);
  const tool = toTool(name, schema);
  const last = values.at(-1);
  const value =
    values.length > 1 && isObject(last)
      ? { ...bindArguments(tool, values.slice(0, -1)), ...last }
      : bindArguments(tool, values);
  validateArguments(tool, value);
  return { status: "answered", format: "json", body: JSON.stringify(await answer(skills, value)) };
};
