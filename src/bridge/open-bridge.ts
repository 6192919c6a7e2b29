// One run's door to the host: find the tool, hold the run's rights and limits, validate, call, unwrap, record.
import type {
  CallDecision,
  CallRecord,
  Discovery,
  GuestAnswer,
  GuestCall,
  HostFunctions,
  Json,
  JsonObject,
  KeptFacts,
  Limits,
  PeopleAnswer,
  RunQuestion,
  SkillFunctions,
  Tool,
  ToolResult,
} from "../contracts/index.js";
import {
  CoordinatorError,
  discoveryServer,
  keptServer,
  largeBytes,
  peopleServer,
  skillsServer,
  takeTurn,
  toCoordinatorError,
  workspaceServer,
} from "../contracts/index.js";
import { answerDiscovery, moduleFunctions } from "./answer-discovery.js";
import { answerSkills } from "./answer-skills.js";
import { openWorkspaceService, type WorkspaceRules } from "./answer-workspace.js";
import { openAsking } from "./ask-people.js";
import { nameHandles } from "./expand-handles.js";
import { journalledNetwork, networkServer } from "./fetch-allowed.js";
import { openFollowing } from "./follow-journal.js";
import { createGate } from "./gate.js";
import type { CallJournal, CallPlace } from "./journalled-calls.js";
import { type ApprovedTool, openFetching } from "./journalled-fetch.js";
import { toKeptEffect, toSkillEffect, toWorkspaceEffect } from "./kept-effects.js";
import { type KeptService, openKeptService } from "./kept-values.js";
import { parseArguments, readCall } from "./parse-arguments.js";
import { toEffect } from "./to-effect.js";
import { toFailure } from "./to-failure.js";
import { unwrapAnswer } from "./unwrap-result.js";
import { type KeepingPart, useKept } from "./use-kept.js";

export interface BridgeOptions {
  /** Finds a tool by what a program called it. Throws SERVER_UNKNOWN or TOOL_UNKNOWN with the nearest names. */
  readonly findTool: (server: string, tool: string) => Tool | Promise<Tool>;
  /** `contents`: those of the values that handles stood for; a tool that wants a text gets them as JSON text. */
  readonly bindArguments: (tool: Tool, values: readonly Json[], contents?: ReadonlySet<Json>) => JsonObject;
  readonly validateArguments: (tool: Tool, value: JsonObject) => void;
  /** The tool as its server lists it now, when arguments do not fit; undefined if it is the same. */
  readonly renewTool?: ((tool: Tool) => Promise<Tool | undefined>) | undefined;
  readonly callTool: (
    tool: Tool,
    value: JsonObject,
    options: { readonly decision: CallDecision; readonly signal: AbortSignal },
  ) => Promise<ToolResult>;
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
  /** Where calls are written down; without it the run cannot be gone on with. */
  readonly journal?: CallJournal;
  /** What is decided on a call; `isKept`: its answer is to be stored. Throws when it is refused. @default "allowed" */
  readonly decide?: (decided: {
    readonly tool: Tool;
    readonly arguments: JsonObject;
    readonly call: GuestCall;
    readonly isKept: boolean;
  }) => CallDecision;
  /** Whether people must allow a call of the tool first. */
  readonly needsApproval?: (tool: ApprovedTool) => boolean;
  /** What people have said since the run paused. */
  readonly findAnswer?: (question: RunQuestion) => PeopleAnswer | undefined;
  /** The run waits for people, and nothing of it is under way. */
  readonly onPause?: (question: RunQuestion) => void;
  /** Refuse a `fetch` that could change something. */
  readonly isReadingOnly?: boolean;
  /** The run must not go on; from now on every call is refused with the same error. */
  readonly onStop?: (error: CoordinatorError) => void;
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
  const following = openFollowing(options.journal, options.onStop, limits.journalBytes);
  const asking = openAsking(options, following);
  const fetchFor = openFetching(options, { following, asking, pass });

  const lookAround = async (name: string, argumentsJson: string, before: readonly Json[] = []) => {
    const values = [...before, ...parseArguments(name, argumentsJson, limits)];
    return checkSize(name, await pass(() => answerDiscovery(options, name, values)));
  };

  const askKept = async (name: string, argumentsJson: string): Promise<GuestAnswer> => {
    if (name === "keep" && argumentsJson.length > largeBytes)
      return pass(() => kept.keepLarge(argumentsJson));
    const values = parseArguments(name, argumentsJson, limits);
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
    seen: Seen,
    place: CallPlace | undefined,
  ): Promise<GuestAnswer> => {
    following.check();
    if (call.server === networkServer) return fetchFor(call, place, signal);
    const argumentBytes = call.argumentsJson.length;
    let tool: Tool;
    try {
      tool = await options.findTool(call.server, call.tool);
    } catch (thrown) {
      // Every server's module has them; a tool of that name comes first.
      const isOurs = call.server !== "" && moduleFunctions.has(call.tool);
      if (!isOurs || toCoordinatorError(thrown).code !== "TOOL_UNKNOWN") throw thrown;
      seen.isTool = false;
      return lookAround(call.tool, call.argumentsJson, [call.server]);
    }
    seen.server = tool.server;
    seen.tool = tool.name;
    options.checkTool(tool);
    const name = `${tool.server}.${tool.name}`;
    const { values, mark, isKept } = await readCall(name, call.argumentsJson, limits);
    const given = mark === undefined ? { values } : await kept.expand(values, mark, name);
    // Each step of large arguments may take a turn of its own.
    const isLarge = argumentBytes > largeBytes || mark !== undefined;
    if (isLarge) await takeTurn();
    const contents = "contents" in given ? given.contents : undefined;
    const bind = (): JsonObject => {
      const bound = options.bindArguments(tool, given.values, contents);
      options.validateArguments(tool, bound);
      return bound;
    };
    let value: JsonObject;
    try {
      value = bind();
    } catch (thrown) {
      const renewed = await options.renewTool?.(tool);
      if (renewed === undefined) throw thrown;
      tool = renewed;
      value = bind();
    }
    if (isLarge) await takeTurn();
    let decision = options.decide?.({ tool, arguments: value, call, isKept }) ?? "allowed";
    if (decision === "captured") seen.isCaptured = true;
    const askFirst =
      decision === "allowed" && options.needsApproval?.(tool) === true
        ? asking.toApproval({ server: tool.server, tool: tool.name, arguments: value })
        : undefined;
    if (askFirst !== undefined) decision = "approved";
    const issued = {
      server: tool.server,
      tool: tool.name,
      // What a handle stands for may be large, and is kept already.
      arguments: mark === undefined ? value : nameHandles(values, mark),
      effect: toEffect(tool),
      ...(call.isRaw ? { isRaw: true } : {}),
      ...(askFirst === undefined ? {} : { isHeld: true }),
    };
    const make = async (): Promise<GuestAnswer> => {
      if (isLarge) await takeTurn();
      const answer = await unwrapAnswer(
        await pass(() => options.callTool(tool, value, { decision, signal })),
        call.isRaw,
      );
      return isKept ? kept.keepAnswer(answer) : checkSize(name, answer);
    };
    const decided = { decision, make, askFirst, argumentBytes };
    const { answer, isReplayed } = await following.follow(place, issued, decided);
    seen.isReplayed = isReplayed;
    return answer;
  };

  const keeping = new Map<string, KeepingPart>([
    [workspaceServer, { name: "(workspace)", toEffect: toWorkspaceEffect, answer: workspace.answer }],
    [
      skillsServer,
      {
        name: "(skills)",
        toEffect: toSkillEffect,
        answer: (name, values) => answerSkills(options, name, values),
      },
    ],
    [keptServer, { name: "(kept)", toEffect: toKeptEffect, answer: askKept }],
  ]);

  const take = async (call: GuestCall, signal: AbortSignal): Promise<GuestAnswer> => {
    const part = keeping.get(call.server);
    if (part !== undefined) return useKept(following, part, call);
    if (call.server === peopleServer) return asking.ask(call);
    if (call.server === discoveryServer) {
      following.takePlace(call.times)?.leave();
      return lookAround(call.tool, call.argumentsJson).catch(toFailure);
    }
    const sequence = ++lastSequence;
    const startedAt = performance.now();
    const seen: Seen = {
      server: call.server === networkServer ? journalledNetwork : call.server,
      tool: call.tool,
      isTool: true,
      isReplayed: false,
      isCaptured: false,
    };
    const place = following.takePlace(call.times);
    let answer: GuestAnswer;
    try {
      answer = await perform(call, signal, seen, place);
    } catch (thrown) {
      answer = toFailure(thrown);
    } finally {
      place?.leave();
    }
    if (!seen.isTool) return answer;
    const record: CallRecord = {
      sequence,
      server: seen.server,
      tool: seen.tool,
      status: answer.status,
      ...(answer.status === "failed" ? { code: answer.code } : {}),
      ...(seen.isReplayed ? { isReplayed: true } : {}),
      ...(seen.isCaptured ? { isCaptured: true } : {}),
      startedAtMs: startedAt - openedAt,
      durationMs: performance.now() - startedAt,
      argumentBytes: call.argumentsJson.length,
      answerBytes: answer.status === "answered" ? answer.body.length : answer.message.length,
    };
    records.push(record);
    options.onCall?.(record);
    return answer;
  };

  return {
    call: async (call, signal) => {
      // A run that waits for people is over as it is: what it still asks for, the next attempt asks again.
      if (!asking.enter()) return new Promise(() => {});
      try {
        return await take(call, signal);
      } finally {
        asking.leave();
      }
    },
    artifacts: kept.artifacts,
    calls: () => [...records].sort((one, other) => one.sequence - other.sequence),
    close: workspace.close,
  };
};

/** What is found out of a call on its way. */
interface Seen {
  server: string;
  tool: string;
  isTool: boolean;
  isReplayed: boolean;
  isCaptured: boolean;
}
