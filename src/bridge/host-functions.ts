// The functions of the host that store things: files and memory of the workspace, skills, values. They are journaled like tool calls, so
// that a resumed run does not repeat them.
import { hash } from "node:crypto";
import {
  type CallEffect,
  CoordinatorError,
  type GuestAnswer,
  type GuestCall,
  type Json,
  type JsonObject,
  type Limits,
  largeBytes,
  type SkillDraft,
  type SkillFunctions,
  skillSchemas,
  skillsName,
  skillsServer,
  storedServer,
  type Tool,
  workspaceServer,
} from "../contracts/index.js";
import { answered } from "./answers.js";
import { parseArguments } from "./arguments.js";
import { bindWithOptions } from "./discovery.js";
import type { BridgeCall } from "./pipeline.js";
import type { ValueFunctions } from "./stored-values.js";
import type { ToolCallOptions } from "./tool-calls.js";
import type { WorkspaceFunctions } from "./workspace.js";

/** The parts of a file are not journaled: they change nothing before its end. */
export const resolveWorkspace =
  ({ answer, findUpload }: WorkspaceFunctions) =>
  (call: BridgeCall): void => {
    const { tool, argumentsJson } = call.guest;
    call.server = "(workspace)";
    call.isThrottled = false;
    journalIfSound(call, workspaceEffects.get(tool));
    const upload = findUpload(tool, call.arguments);
    if (upload !== undefined) {
      call.arguments = upload.arguments;
      // An earlier attempt wrote the file, and it may have changed since.
      call.release = () => {
        if (call.isReplayed) upload.abandon();
      };
    }
    call.invoke = () => answer(tool, argumentsJson);
  };

export const resolveSkills =
  (options: SkillsOptions) =>
  (call: BridgeCall): void => {
    const { tool, argumentsJson } = call.guest;
    call.server = "(skills)";
    call.isThrottled = false;
    journalIfSound(call, toSkillEffect(tool));
    call.invoke = () => answerSkills(options, tool, argumentsJson);
  };

/** A stored value never changes, so only `keep` is journaled: for the id that it returns. */
export const resolveStored =
  (stored: ValueFunctions) =>
  (call: BridgeCall): void => {
    const { tool, argumentsJson } = call.guest;
    call.server = "(values)";
    journalIfSound(call, tool === "keep" ? "idempotent" : undefined);
    call.invoke = () => stored.answer(tool, argumentsJson);
  };

/** Arguments that cannot be parsed are not recorded: the function itself refuses them. */
const journalIfSound = (call: BridgeCall, effect: CallEffect | undefined): void => {
  const { argumentsJson, tool } = call.guest;
  const bytes = argumentsJson.length;
  if (effect === undefined) return;
  try {
    // Large arguments are identified by their hash: the store has the content.
    call.arguments =
      bytes > largeBytes
        ? [{ sha256: hash("sha256", argumentsJson), bytes }]
        : [...parseArguments(tool, argumentsJson, unlimited)];
    call.effect = effect;
  } catch {}
};

/** `largeBytes` bounds what is parsed. */
const unlimited = { argumentBytes: Number.POSITIVE_INFINITY, argumentValues: Number.POSITIVE_INFINITY };

const workspaceEffects: ReadonlyMap<string, CallEffect> = new Map<string, CallEffect>([
  ...["read", "readdir", "stat", "exists", "memoryLoad", "memoryList", "memoryInfo", "getState"].map(
    (name) => [name, "read"] as const,
  ),
  ...["memorySave", "saveState", "copyFile"].map((name) => [name, "idempotent"] as const),
  // Repeating these could fail or change something else: a new file exists by now, a removed one does not.
  ...["write", "endWrite", "append", "mkdir", "rm", "rmdir", "rename", "memoryReplace", "memoryDelete"].map(
    (name) => [name, "write"] as const,
  ),
]);

const toSkillEffect = (name: string): CallEffect => (name === "save" ? "write" : "read");

/** Whether a call of the host's functions stores something. */
export const storesValue = ({ server, tool }: Pick<GuestCall, "server" | "tool">): boolean => {
  if (server === workspaceServer) return workspaceEffects.get(tool) !== "read";
  if (server === skillsServer) return toSkillEffect(tool) === "write";
  return server === storedServer && (tool === "keep" || tool === "artifact");
};

export interface SkillsOptions extends Pick<ToolCallOptions, "bindArguments" | "validateArguments"> {
  readonly skills?: SkillFunctions | undefined;
  readonly limits: Limits;
}

type Answer = (skills: SkillFunctions, value: JsonObject) => Promise<unknown>;

const toCount = (value: Json | undefined): number | undefined =>
  typeof value === "number" ? value : undefined;

const skillAnswers: Readonly<Record<string, Answer>> = {
  save: (skills, value) => skills.save(value as unknown as SkillDraft),
  list: (skills) => skills.list(),
  search: (skills, { query, limit }) => skills.search(String(query), toCount(limit)),
  show: (skills, { name, version }) => skills.show(String(name), toCount(version)),
};

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

/** Throws TOOL_UNKNOWN for a program that may not use skills. */
const answerSkills = async (
  options: SkillsOptions,
  name: string,
  argumentsJson: string,
): Promise<GuestAnswer> => {
  const { skills, limits } = options;
  const answer = Object.hasOwn(skillAnswers, name) ? skillAnswers[name] : undefined;
  const schema = skillSchemas.get(name);
  if (answer === undefined || schema === undefined || skills === undefined)
    throw new CoordinatorError(
      "TOOL_UNKNOWN",
      `Cannot call "${skillsName}.${name.slice(0, 80)}": programs have no such function`,
      {
        hint: `There are: ${Object.keys(skillAnswers)
          .map((one) => `${skillsName}.${one}`)
          .join(", ")}.`,
      },
    );
  const values = parseArguments(`${skillsName}.${name}`, argumentsJson, limits);
  const value = bindWithOptions(options, toTool(name, schema), values);
  return answered(JSON.stringify(await answer(skills, value)));
};
