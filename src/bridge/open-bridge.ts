// The only way from a guest to the host: the pipeline that every call of one run passes through.
import type {
  ApprovedProgram,
  CallAsker,
  CallAudit,
  CallDecision,
  CallRecord,
  CallRuling,
  CoordinatorError,
  Discovery,
  GuestCall,
  HostFunctions,
  InverseMaker,
  Journal,
  Json,
  JsonObject,
  Limits,
  OpenInput,
  PeopleAnswer,
  RuledTool,
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
import { openServerAnswers, type ServerAnswersOptions } from "./answer-servers.js";
import { toFailure } from "./answers.js";
import { openAsking } from "./ask-people.js";
import { type OpenCallAudit, openAuditCalls } from "./audit-calls.js";
import { toTokenCheck } from "./check-tokens.js";
import { resolveDiscovery } from "./discovery.js";
import { type FetchOptions, journaledNetwork, networkServer, resolveFetch } from "./fetch.js";
import { resolveSkills, resolveStored, resolveWorkspace } from "./host-functions.js";
import { openJournalCalls } from "./journal-calls.js";
import { openLabelCalls } from "./label-calls.js";
import {
  type BridgeCall,
  type BridgeLabels,
  type BridgePrivacy,
  createGate,
  type Middleware,
  runPipeline,
} from "./pipeline.js";
import { openRecords } from "./record-calls.js";
import { openInversions, refuseAsking } from "./record-inverses.js";
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
    options: MadeOptions & AskedOptions,
  ) => Promise<ToolResult>;
  /** How servers that ask back are answered. Without it they are not. */
  readonly answers?: Omit<ServerAnswersOptions, "limits" | "ask" | "askLive"> | undefined;
  /** Throws if this run may not use the tool. `isOwn`: the program does not contain the call. */
  readonly checkTool: (tool: Tool, isOwn: boolean) => void;
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
  /** Makes a request of `fetch` when its limits allow it. @default at once */
  readonly passFetch?: FetchOptions["passFetch"] | undefined;
  /** Records decisions and calls. @default nothing is recorded */
  readonly audit?: OpenCallAudit | undefined;
  /** Without a journal the run cannot be resumed. */
  readonly journal?: Journal | undefined;
  /** Decides on a call; `isStored`: its answer is to be stored. Throws if the call is refused. @default "allowed" */
  readonly decide?:
    | ((decided: {
        readonly tool: Tool;
        readonly arguments: JsonObject;
        readonly call: GuestCall;
        readonly isStored: boolean;
      }) => CallDecision)
    | undefined;
  /** What the policy says about a call. @default everything is allowed */
  readonly rule?: ((tool: RuledTool, value: JsonObject) => CallRuling) | undefined;
  /** Set if a person approved the program's calls as a whole. */
  readonly approved?: ApprovedProgram | undefined;
  /** Tokens for personal values, and guardrails. Undefined: nothing is hidden or guarded. */
  readonly privacy?: BridgePrivacy | undefined;
  /** A guardrail applies to the arguments of a call and does not block them. */
  readonly onWarning?: ((text: string) => void) | undefined;
  /** Labels of data. Undefined: nothing is labelled. */
  readonly labels?: BridgeLabels | undefined;
  /** The run waits for people, and none of its calls is in flight. */
  readonly onPause?: ((question: RunQuestion) => void) | undefined;
  /** Asks for a server while its call is open. Without an answer in time it resolves to undefined. */
  readonly askLive?:
    | ((question: RunQuestion, signal?: AbortSignal) => Promise<PeopleAnswer | undefined>)
    | undefined;
  /** Refuse a `fetch` that could change something. */
  readonly isReadingOnly?: boolean | undefined;
  /** How the writes of a tool are undone. Undefined: nothing is declared for it. */
  readonly undo?: ((tool: Tool) => InverseMaker | undefined) | undefined;
  /** The run must stop. From now on every call is refused with the same error. */
  readonly onStop?: ((error: CoordinatorError) => void) | undefined;
}

export interface MadeOptions {
  readonly decision: CallDecision;
  readonly signal: AbortSignal;
  /** Records every attempt. */
  readonly audit: CallAudit | undefined;
  /** The answer was known, and no server was called. */
  readonly onCached: () => void;
}

/** How a call deals with a server that asks back. */
export interface AskedOptions {
  /** What the server wanted in an earlier attempt. */
  readonly input?: OpenInput | undefined;
  /** Collects what a server wants before the same call is made again. */
  readonly onInput?: ((input: OpenInput, round: number) => Promise<OpenInput>) | undefined;
  readonly asker?: CallAsker | undefined;
  /** Waits for a person to sign in. Throws the error if nobody does. `input`: what the refused call was sent with. */
  readonly onSignIn?:
    | ((error: CoordinatorError, since: number, input: OpenInput | undefined) => Promise<void>)
    | undefined;
  /** The program wants to know how far the tool is. */
  readonly onProgress?: GuestCall["onProgress"];
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
  const audit = openAuditCalls(options.audit);
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
  const answers =
    options.answers === undefined
      ? undefined
      : openServerAnswers({ ...options.answers, limits, ask: asking.put, askLive: options.askLive });
  const resolveUpstream = resolveTool(options, stored, { ...asking, answers });
  const resolve: Middleware = async (call, next) => {
    await (resolvers.get(call.guest.server) ?? resolveUpstream)(call);
    return next();
  };
  const authorize: Middleware = async ({ upstream, isOwn = false }, next) => {
    if (upstream !== undefined) options.checkTool(upstream, isOwn);
    return next();
  };
  const validate: Middleware = async (call, next) => {
    await call.prepare?.();
    return next();
  };
  const checkTokens = toTokenCheck(options);
  const gate = createGate(limits.callsInFlight);
  const throttle: Middleware = async (call, next) => {
    if (!call.isThrottled) return next();
    const leave = await gate.enter();
    let isInside = true;
    call.leaveGate = () => {
      if (isInside) leave();
      isInside = false;
    };
    return next().finally(call.leaveGate);
  };
  const label = openLabelCalls(options.labels);
  // A program gets failures as answers. They never become exceptions of the host.
  const answerFailures: Middleware = (_call, next) => next().catch(toFailure);

  /** A read before a write can neither ask nor wait: the write is in the journal already. */
  const resolveRead = resolveTool(options, stored, { ...asking, signIn: refuseSignIn, answers: undefined });
  const prepareRead: Middleware = async (call, next) => {
    await resolveRead(call);
    return next();
  };
  const invert = openInversions(options, (guest, signal) => {
    const entries = pipeline
      .filter((entry) => entry !== invert && entry !== audit.questions)
      .map((entry) => (entry === resolve ? prepareRead : entry === journal.follow ? refuseAsking : entry));
    return runPipeline(entries, { ...toCall(guest, signal, undefined), isOwn: true });
  });

  /** Behind the last entry, the call is carried out. */
  const pipeline: readonly Middleware[] = [
    records.record,
    audit.refusals,
    answerFailures,
    journal.checkStopped,
    resolve,
    authorize,
    validate,
    checkTokens,
    label,
    asking.approve,
    audit.questions,
    journal.follow,
    invert,
    audit.decisions,
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

const refuseSignIn = async (error: CoordinatorError): Promise<void> => {
  throw error;
};

/** What programs call on the host itself. It is not in the run's list of calls. */
const hostServers = new Set([workspaceServer, skillsServer, storedServer, peopleServer, discoveryServer]);
