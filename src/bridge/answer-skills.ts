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
import { CoordinatorError, skillsName } from "../contracts/index.js";
import { parseArguments } from "./parse-arguments.js";

export interface SkillsOptions {
  readonly skills?: SkillFunctions;
  readonly limits: Limits;
  readonly bindArguments: (tool: Tool, values: readonly Json[]) => JsonObject;
  readonly validateArguments: (tool: Tool, value: JsonObject) => void;
}

interface SkillFunction {
  readonly tool: Tool;
  readonly answer: (skills: SkillFunctions, value: JsonObject) => Promise<unknown>;
}

const text = (maxLength: number): JsonObject => ({ type: "string", minLength: 1, maxLength });

const define = (
  name: string,
  properties: Readonly<Record<string, JsonObject>>,
  required: readonly string[],
  answer: SkillFunction["answer"],
): [string, SkillFunction] => [
  name,
  {
    tool: {
      server: skillsName,
      name,
      functionName: name,
      description: "",
      inputSchema: { type: "object", properties, required: [...required], additionalProperties: false },
      isReadOnly: name !== "save",
      isDestructive: false,
      fingerprint: name,
    },
    answer,
  },
];

const functions: ReadonlyMap<string, SkillFunction> = new Map([
  define(
    "save",
    {
      name: text(100),
      description: { type: "string", maxLength: 4000 },
      code: text(16_777_216),
      language: { enum: ["typescript", "python"] },
      tags: { type: "array", items: text(100), maxItems: 50 },
      category: text(200),
      parameters: { type: "object" },
    },
    ["name", "code"],
    (skills, value) => skills.save(value as unknown as SkillDraft),
  ),
  define("list", {}, [], (skills) => skills.list()),
  define(
    "search",
    { query: text(8000), limit: { type: "integer", minimum: 1, maximum: 50 } },
    ["query"],
    (skills, { query, limit }) => skills.search(String(query), typeof limit === "number" ? limit : undefined),
  ),
  define(
    "show",
    { name: text(300), version: { type: "integer", minimum: 1 } },
    ["name"],
    (skills, { name, version }) =>
      skills.show(String(name), typeof version === "number" ? version : undefined),
  ),
]);

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Throws what a program did wrong; a program that may not use skills is told that there are none. */
export const answerSkills = async (
  { skills, limits, bindArguments, validateArguments }: SkillsOptions,
  name: string,
  argumentsJson: string,
): Promise<GuestAnswer> => {
  const found = functions.get(name);
  if (found === undefined || skills === undefined)
    throw new CoordinatorError(
      "TOOL_UNKNOWN",
      `Cannot call "${skillsName}.${name.slice(0, 80)}": programs have no such function`,
      { hint: `There are: ${[...functions.keys()].map((one) => `${skillsName}.${one}`).join(", ")}.` },
    );
  const values = parseArguments(`${skillsName}.${name}`, argumentsJson, limits.argumentBytes);
  const last = values.at(-1);
  const value =
    values.length > 1 && isObject(last)
      ? { ...bindArguments(found.tool, values.slice(0, -1)), ...last }
      : bindArguments(found.tool, values);
  validateArguments(found.tool, value);
  return { status: "answered", format: "json", body: JSON.stringify(await found.answer(skills, value)) };
};
