// One run's door to the host: find the tool, hold the run's rights and limits, validate, call, unwrap, record.
import type {
  CallRecord,
  Discovery,
  GuestAnswer,
  GuestCall,
  HostFunctions,
  Json,
  JsonObject,
  KeptFacts,
  Limits,
  SkillFunctions,
  Tool,
  ToolResult,
} from "../contracts/index.js";
import {
  CoordinatorError,
  discoveryServer,
  keptServer,
  skillsServer,
  toCoordinatorError,
  workspaceServer,
} from "../contracts/index.js";
import { answerDiscovery, moduleFunctions } from "./answer-discovery.js";
import { answerSkills } from "./answer-skills.js";
import { openWorkspaceService, type WorkspaceRules } from "./answer-workspace.js";
import { fetchAllowed } from "./fetch-allowed.js";
import { createGate } from "./gate.js";
import { type KeptService, openKeptService } from "./kept-values.js";
import { parseArguments, parseCall } from "./parse-arguments.js";
import { unwrapResult } from "./unwrap-result.js";

export interface BridgeOptions {
  /** Finds a tool by what a program called it. Throws SERVER_UNKNOWN or TOOL_UNKNOWN with the nearest names. */
  readonly findTool: (server: string, tool: string) => Promise<Tool>;
  readonly bindArguments: (tool: Tool, values: readonly Json[]) => JsonObject;
  readonly validateArguments: (tool: Tool, value: JsonObject) => void;
  readonly callTool: (tool: Tool, value: JsonObject, signal: AbortSignal) => Promise<ToolResult>;
  /** Throws when this run may not use the tool. */
  readonly checkTool: (tool: Tool) => void;
  readonly limits: Limits;
  /** Hosts that a program's `fetch` may reach. */
  readonly allowedHosts: readonly string[];
  readonly fetchTimeoutMs: number;
  /** What the run may ask of the catalog. */
  readonly discovery: Discovery;
  /** The files, memory and states that the run may use. */
  readonly workspace: WorkspaceRules;
  /** What the run may ask of the skills. */
  readonly skills?: SkillFunctions;
  readonly onCall?: (call: CallRecord) => void;
}

export interface Bridge {
  readonly call: HostFunctions["call"];
  /** Every call of a tool that ended, in the order in which they were made. */
  readonly calls: () => readonly CallRecord[];
  /** Gives up what the guest has not finished. */
  readonly close: () => void;
  /** What the program called artifacts. */
  readonly artifacts: () => readonly KeptFacts[];
}

/** What a guest calls for `fetch`: no configured server can have this name. */
export const networkServer = "\u0000network";

/** Opens the bridge of one run. */
export const openBridge = (options: BridgeOptions): Bridge => {
  const { limits } = options;
  const pass = createGate(limits.callsInFlight);
  const workspace = openWorkspaceService(options.workspace, limits);
  const kept: KeptService = openKeptService({
    open: async () => (await options.workspace.open()).kept,
    limits,
  });
  const records: CallRecord[] = [];
  const openedAt = performance.now();
  let lastSequence = 0;

  const lookAround = async (name: string, argumentsJson: string, before: readonly Json[] = []) => {
    const values = [...before, ...parseArguments(name, argumentsJson, limits.argumentBytes)];
    return checkSize(name, await pass(() => answerDiscovery(options, name, values)));
  };

  const askKept = async (name: string, argumentsJson: string): Promise<GuestAnswer> => {
    const values = parseArguments(name, argumentsJson, limits.argumentBytes);
    return pass(() => kept.answer(name, values));
  };

  const checkSize = (name: string, answer: GuestAnswer): GuestAnswer => {
    if (answer.status === "answered" && answer.body.length > limits.answerBytes) {
      throw new CoordinatorError(
        "LIMIT_ANSWER",
        `Cannot take the answer of "${name}": it has ${answer.body.length} bytes, at most ${limits.answerBytes} are allowed`,
      );
    }
    return answer;
  };

  const perform = async (
    call: GuestCall,
    signal: AbortSignal,
    seen: { server: string; tool: string; isTool: boolean },
  ): Promise<GuestAnswer> => {
    if (call.server === networkServer) {
      const values = parseArguments("fetch", call.argumentsJson, limits.argumentBytes);
      const rules = {
        allow: options.allowedHosts,
        maxBytes: limits.answerBytes,
        timeoutMs: options.fetchTimeoutMs,
      };
      return pass(() => fetchAllowed(rules, values, signal));
    }
    const tool = await options.findTool(call.server, call.tool).catch((thrown: unknown) => {
      // Every server's module has them; a tool of that name comes first.
      const isOurs = call.server !== "" && moduleFunctions.has(call.tool);
      if (isOurs && toCoordinatorError(thrown).code === "TOOL_UNKNOWN") return undefined;
      throw thrown;
    });
    if (tool === undefined) {
      seen.isTool = false;
      return lookAround(call.tool, call.argumentsJson, [call.server]);
    }
    seen.server = tool.server;
    seen.tool = tool.name;
    options.checkTool(tool);
    const name = `${tool.server}.${tool.name}`;
    const { values, mark, isKept } = parseCall(name, call.argumentsJson, limits.argumentBytes);
    const given = mark === undefined ? values : await kept.expand(values, mark);
    const value = options.bindArguments(tool, given);
    options.validateArguments(tool, value);
    const answer = unwrapResult(await pass(() => options.callTool(tool, value, signal)), call.isRaw);
    return isKept ? kept.keepAnswer(answer) : checkSize(name, answer);
  };

  return {
    call: async (call, signal) => {
      if (call.server === skillsServer)
        return answerSkills(options, call.tool, call.argumentsJson).catch(toFailure);
      if (call.server === discoveryServer) return lookAround(call.tool, call.argumentsJson).catch(toFailure);
      if (call.server === workspaceServer) return workspace.answer(call.tool, call.argumentsJson);
      if (call.server === keptServer) return askKept(call.tool, call.argumentsJson).catch(toFailure);
      const sequence = ++lastSequence;
      const startedAt = performance.now();
      const seen = { server: call.server, tool: call.tool, isTool: true };
      let answer: GuestAnswer;
      try {
        answer = await perform(call, signal, seen);
      } catch (thrown) {
        answer = toFailure(thrown);
      }
      if (!seen.isTool) return answer;
      const record: CallRecord = {
        sequence,
        server: seen.server,
        tool: seen.tool,
        status: answer.status,
        ...(answer.status === "failed" ? { code: answer.code } : {}),
        startedAtMs: startedAt - openedAt,
        durationMs: performance.now() - startedAt,
        argumentBytes: call.argumentsJson.length,
        answerBytes: answer.status === "answered" ? answer.body.length : answer.message.length,
      };
      records.push(record);
      options.onCall?.(record);
      return answer;
    },
    artifacts: kept.artifacts,
    calls: () => [...records].sort((one, other) => one.sequence - other.sequence),
    close: workspace.close,
  };
};

/** What a program sees of an error: the message and the next step, never a stack or a cause. */
const toFailure = (thrown: unknown): GuestAnswer => {
  const { code, message, hint } = toCoordinatorError(thrown);
  const name = code === "ARGUMENTS_INVALID" ? "ArgumentError" : "ToolError";
  return { status: "failed", name, code, message: `${message}. ${hint}` };
};
