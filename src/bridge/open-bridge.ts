// The only door from a guest to the host: the pipeline that every call of one run passes through.
import type {
  CallDecision,
  CallRecord,
  CoordinatorError,
  Discovery,
  GuestAnswer,
  GuestCall,
  HostFunctions,
  Journal,
  Json,
  JsonObject,
  Limits,
  RunQuestion,
  SkillFunctions,
  StoredFacts,
  Tool,
  ToolResult,
} from "../contracts/index.js";
import {
  discoveryServer,
  peopleServer,
  skillsServer,
  storedServer,
  workspaceServer,
} from "../contracts/index.js";
import { toFailure } from "./answers.js";
import { openAsking } from "./ask-people.js";
import { resolveDiscovery } from "./discovery.js";
import { journaledNetwork, networkServer, resolveFetch } from "./fetch.js";
import { resolveSkills, resolveStored, resolveWorkspace } from "./host-functions.js";
import { openJournalCalls } from "./journal-calls.js";
import { type ApprovedTool, type BridgeCall, createGate, type Middleware, runPipeline } from "./pipeline.js";
import { openValueFunctions } from "./stored-values.js";
import { resolveTool } from "./tool-calls.js";
import { openWorkspaceFunctions, type WorkspaceRules } from "./workspace.js";

export interface BridgeOptions {
  /** Finds a tool by what a program called it. Throws SERVER_UNKNOWN or TOOL_UNKNOWN with the nearest names. */
  readonly findTool: (server: string, tool: string) => Promise<Tool>;
  /** `contents`: the values that replaced handles. A tool that wants a string gets them as JSON text. */
  readonly bindArguments: (tool: Tool, values: readonly Json[], contents?: ReadonlySet<Json>) => JsonObject;
  readonly validateArguments: (tool: Tool, value: JsonObject) => void;
  /** The tool as its server lists it now, if arguments do not fit. Undefined: it has not changed. */
  readonly renewTool?: ((tool: Tool) => Promise<Tool | undefined>) | undefined;
  readonly callTool: (
    tool: Tool,
    value: JsonObject,
    options: { readonly decision: CallDecision; readonly signal: AbortSignal },
  ) => Promise<ToolResult>;
  /** Throws if this run may not use the tool. */
  readonly checkTool: (tool: Tool) => void;
  readonly limits: Limits;
  /** Hosts that a program's `fetch` may reach. */
  readonly allowedHosts: readonly string[];
  readonly fetchTimeoutMs: number;
  /** The catalog, as this run may see it. */
  readonly discovery: Discovery;
  /** The files, memory and states that the run may use. */
  readonly workspace: WorkspaceRules;
  readonly skills?: SkillFunctions | undefined;
  readonly onCall?: ((call: CallRecord) => void) | undefined;
  /** Without a journal the run cannot be resumed. */
  readonly journal?: Journal | undefined;
  /** Decides on a call; `isKept`: its answer is to be stored. Throws if the call is refused. @default "allowed" */
  readonly decide?:
    | ((decided: {
        readonly tool: Tool;
        readonly arguments: JsonObject;
        readonly call: GuestCall;
        readonly isKept: boolean;
      }) => CallDecision)
    | undefined;
  /** Whether people must allow a call of the tool first. */
  readonly needsApproval?: ((tool: ApprovedTool) => boolean) | undefined;
  /** The run waits for people, and none of its calls is in flight. */
  readonly onPause?: ((question: RunQuestion) => void) | undefined;
  /** Refuse a `fetch` that could change something. */
  readonly isReadingOnly?: boolean | undefined;
  /** The run must stop. From now on every call is refused with the same error. */
  readonly onStop?: ((error: CoordinatorError) => void) | undefined;
}

export interface Bridge {
  readonly call: HostFunctions["call"];
  /** Every call of a tool that ended, in the order in which they were made. */
  readonly calls: () => readonly CallRecord[];
  /** Gives up what the guest has not finished. */
  readonly close: () => void;
  /** The artifacts of the program. */
  readonly artifacts: () => readonly StoredFacts[];
}

/** Opens the bridge of one run. */
export const openBridge = (options: BridgeOptions): Bridge => {
  const { limits } = options;
  const journal = openJournalCalls(options.journal, options.onStop, limits.journalBytes);
  const asking = openAsking(options);
  const workspace = openWorkspaceFunctions(options.workspace, limits);
  const stored = openValueFunctions({
    open: async () => (await options.workspace.open()).storedValues,
    limits,
  });
  const records = openRecords(options.onCall);

  const resolvers = new Map<string, (call: BridgeCall) => void | Promise<void>>([
    [networkServer, resolveFetch(options)],
    [workspaceServer, resolveWorkspace(workspace)],
    [skillsServer, resolveSkills(options)],
    [storedServer, resolveStored(stored)],
    [peopleServer, asking.resolve],
    [discoveryServer, resolveDiscovery(options)],
  ]);
  const resolveUpstream = resolveTool(options, stored);
  const resolve: Middleware = async (call, next) => {
    await (resolvers.get(call.guest.server) ?? resolveUpstream)(call);
    return next();
  };
  const authorize: Middleware = async ({ upstream }, next) => {
    if (upstream !== undefined) options.checkTool(upstream);
    return next();
  };
  const validate: Middleware = async (call, next) => {
    await call.prepare?.();
    return next();
  };
  const gate = createGate(limits.callsInFlight);
  const throttle: Middleware = (call, next) => (call.isThrottled ? gate.pass(next) : next());
  // A program gets failures as answers. They never become exceptions of the host.
  const answerFailures: Middleware = (_call, next) => next().catch(toFailure);

  /** Behind the last entry, the call is carried out. */
  const pipeline: readonly Middleware[] = [
    records.record,
    answerFailures,
    journal.checkStopped,
    resolve,
    authorize,
    validate,
    asking.approve,
    journal.follow,
    throttle,
  ];

  return {
    call: async (guest, signal) => {
      // A paused run has ended: the next attempt makes this call again.
      if (!asking.enter()) return new Promise(() => {});
      const call = toCall(guest, signal, journal.takePlace(guest.times));
      try {
        return await runPipeline(pipeline, call);
      } finally {
        call.place?.leave();
        call.release?.();
        asking.leave();
      }
    },
    artifacts: stored.artifacts,
    calls: records.list,
    close: () => {
      for (const { close } of [gate, stored, workspace]) close();
    },
  };
};

const toCall = (guest: GuestCall, signal: AbortSignal, place: BridgeCall["place"]): BridgeCall => ({
  guest,
  signal,
  place,
  server: guest.server === networkServer ? journaledNetwork : guest.server,
  tool: guest.tool,
  isRecorded: !hostServers.has(guest.server),
  arguments: null,
  decision: "allowed",
  isReplayed: false,
  isThrottled: true,
  invoke: async () => {
    throw new Error("The call was not resolved");
  },
});

/** What programs call on the host itself. It is not in the run's list of calls. */
const hostServers = new Set([workspaceServer, skillsServer, storedServer, peopleServer, discoveryServer]);

/** Lists the calls of the run: what each was, how long it took and how it ended. */
const openRecords = (onCall: BridgeOptions["onCall"]) => {
  const records: CallRecord[] = [];
  const openedAt = performance.now();
  let lastSequence = 0;
  const record: Middleware = async (call, next) => {
    if (!call.isRecorded) return next();
    const sequence = ++lastSequence;
    const startedAt = performance.now();
    const answer: GuestAnswer = await next();
    if (!call.isRecorded) return answer;
    const ended: CallRecord = {
      sequence,
      server: call.server,
      tool: call.tool,
      status: answer.status,
      code: answer.status === "failed" ? answer.code : undefined,
      isReplayed: call.isReplayed || undefined,
      isCaptured: call.decision === "captured" || undefined,
      startedAtMs: startedAt - openedAt,
      durationMs: performance.now() - startedAt,
      argumentBytes: call.guest.argumentsJson.length,
      answerBytes: answer.status === "answered" ? answer.body.length : answer.message.length,
    };
    records.push(ended);
    onCall?.(ended);
    return answer;
  };
  return { record, list: () => [...records].sort((one, other) => one.sequence - other.sequence) };
};
