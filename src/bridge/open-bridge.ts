// The only way from a guest to the host: the list of middleware that every call of one run passes through.
import {
  type CallRecord,
  type CoordinatorError,
  discoveryServer,
  type GuestAnswer,
  type GuestCall,
  type HostFunctions,
  peopleServer,
  type StoredFacts,
  skillsServer,
  storedServer,
  type Tool,
  workspaceServer,
} from "../contracts/index.js";
import { openServerAnswers, type ServerAnswersOptions } from "./answer-servers.js";
import { type FailureHints, openFailureHints, toFailure } from "./answers.js";
import { type AskingOptions, openAsking } from "./ask-people.js";
import { type DataOptions, toLabelling, toPrivacyCheck } from "./check-data.js";
import { type DiscoveryOptions, resolveDiscovery } from "./discovery.js";
import { type FetchOptions, journaledNetwork, networkServer, resolveFetch } from "./fetch.js";
import { resolveSkills, resolveStored, resolveWorkspace, type SkillsOptions } from "./host-functions.js";
import { openJournalCalls } from "./journal-calls.js";
import { type BridgeCall, createGate, type Middleware, runPipeline, toThrottle } from "./pipeline.js";
import {
  type InversionOptions,
  type OpenCallAudit,
  openAuditCalls,
  openInversions,
  openRecords,
  refuseAsking,
} from "./record-calls.js";
import { openValueFunctions } from "./stored-values.js";
import { resolveTool, resolveUpstream, type ToolCallOptions } from "./tool-calls.js";
import { openWorkspaceFunctions, type RunWorkspace } from "./workspace.js";

/** What the bridge needs of the run. Each group of options is explained where it is used. */
export interface BridgeOptions
  extends ToolCallOptions,
    DiscoveryOptions,
    SkillsOptions,
    FetchOptions,
    DataOptions,
    AskingOptions,
    InversionOptions {
  /** The files, memory and states that the run may use. */
  readonly workspace: RunWorkspace;
  /** Throws if this run may not use the tool. `isFromPolicy`: the policy requires the call, not the program. */
  readonly checkTool: (tool: Tool, isFromPolicy: boolean) => void;
  /** How servers that ask back are answered. Without it they are not. */
  readonly answers?: Omit<ServerAnswersOptions, "limits" | "ask" | "askLive"> | undefined;
  readonly onCall?: ((call: CallRecord) => void) | undefined;
  /** The run must stop. From now on every call is refused with the same error. */
  readonly onStop?: ((error: CoordinatorError) => void) | undefined;
}

export interface Bridge {
  readonly call: HostFunctions["call"];
  /** Every call of a tool that ended, in the order in which they were made. */
  readonly calls: () => readonly CallRecord[];
  /** The hint that the message of a failed call ends with. */
  readonly findHint: FailureHints["find"];
  /** Gives up what the guest has not finished. */
  readonly close: () => void;
  /** The artifacts of the program. */
  readonly artifacts: () => readonly StoredFacts[];
}

/** Opens the bridge of one run. */
export const openBridge = (options: BridgeOptions): Bridge => {
  const { limits } = options;
  const records = openRecords(options.onCall);
  const hints = openFailureHints();
  const audit = openAuditCalls(options.audit);
  const journalCalls = openJournalCalls(options.journal, options.onStop, limits.journalBytes);
  const asking = openAsking(options);
  const workspace = openWorkspaceFunctions(options.workspace, limits);
  const stored = openValueFunctions({
    open: async () => (await options.workspace.open()).storedValues,
    limits,
  });
  const answers =
    options.answers &&
    openServerAnswers({ ...options.answers, limits, ask: asking.ask, askLive: options.askLive });
  const resolve = toResolution(
    new Map<string, Resolve>([
      [networkServer, resolveFetch(options)],
      [workspaceServer, resolveWorkspace(workspace)],
      [skillsServer, resolveSkills(options)],
      [storedServer, resolveStored(stored)],
      [peopleServer, asking.resolve],
      [discoveryServer, resolveDiscovery(options)],
    ]),
    resolveTool(options, stored, { ...asking, answers }),
  );
  const authorize: Middleware = async ({ upstream, isFromPolicy = false }, next) => {
    if (upstream !== undefined) options.checkTool(upstream, isFromPolicy);
    return next();
  };
  const checkPrivacy = toPrivacyCheck(options);
  const label = toLabelling(options);
  const invert = openInversions(options, (guest, signal) =>
    runPipeline(toReadPipeline(), { ...toCall(guest, signal, undefined), isFromPolicy: true }),
  );
  const gate = createGate(limits.callsInFlight);
  const throttle = toThrottle(gate);

  /**
   * Every call passes through this list, from top to bottom. Then it is carried out, and its answer returns from bottom to top.
   * A feature that is off is not in it.
   */
  const pipeline: readonly Middleware[] = [
    records.record,
    audit?.refusals,
    answerFailures,
    journalCalls.checkStopped,
    resolve,
    authorize,
    validate,
    checkPrivacy,
    label,
    asking.approve,
    audit?.questions,
    journalCalls.journal,
    invert,
    audit?.decisions,
    throttle,
  ].filter((entry) => entry !== undefined);

  /** For the read before a write. It can neither ask nor wait: the write is in the journal already. */
  const toReadPipeline = (): readonly Middleware[] => {
    const resolveRead = toResolution(
      new Map(),
      resolveTool(options, stored, { ...asking, signIn: refuseSignIn, answers: undefined }),
    );
    const replaced = new Map([
      [resolve, resolveRead],
      [journalCalls.journal, refuseAsking],
    ]);
    return pipeline
      .filter((entry) => entry !== invert && entry !== audit?.questions)
      .map((entry) => replaced.get(entry) ?? entry);
  };

  return {
    call: async (guest, signal) => {
      // A paused run has ended: the next attempt makes this call again.
      if (!asking.enter()) return new Promise(() => {});
      const call = toCall(guest, signal, journalCalls.reservePlace(guest.times));
      try {
        const answer = await runPipeline(pipeline, call);
        hints.note(answer);
        return answer;
      } finally {
        call.place?.leave();
        call.release?.();
        asking.leave();
      }
    },
    artifacts: stored.artifacts,
    calls: records.list,
    findHint: hints.find,
    close: () => {
      for (const { close } of [gate, stored, workspace]) close();
    },
  };
};

interface SingleCallOptions
  extends ToolCallOptions,
    DataOptions,
    Pick<AskingOptions, "limits" | "rule" | "approveNow" | "askLive"> {
  readonly answers: BridgeOptions["answers"];
  readonly audit: OpenCallAudit;
}

/** Makes one call of a tool without a run: the same rules apply, but nothing is journaled, and people are asked at once. */
export const makeSingleCall = (
  options: SingleCallOptions,
  guest: GuestCall,
  signal: AbortSignal,
): Promise<GuestAnswer> => {
  const { limits, askLive } = options;
  const audit = openAuditCalls(options.audit);
  const asking = openAsking(options);
  const answers =
    options.answers &&
    openServerAnswers({
      ...options.answers,
      limits,
      ask: async (question) => (await askLive?.({ ...question, isLive: true })) ?? { isDeclined: true },
      askLive,
    });
  const pipeline = [
    audit?.refusals,
    answerFailures,
    toResolution(new Map(), resolveUpstream(options, { ...asking, answers })),
    validate,
    toPrivacyCheck(options),
    toLabelling(options),
    asking.approve,
    audit?.questions,
    askFirst,
    audit?.decisions,
  ].filter((entry) => entry !== undefined);
  return runPipeline(pipeline, toCall(guest, signal, undefined));
};

/** Takes the place of the journal. */
const askFirst: Middleware = async (call, next) => (await call.askFirst?.()) ?? next();

/** A program gets failures as answers. They never become exceptions of the host. */
const answerFailures: Middleware = (_call, next) => next().catch(toFailure);

/** Reads and checks the arguments. */
const validate: Middleware = async (call, next) => {
  await call.prepare?.();
  return next();
};

/** Finds what is called, and adds to the call how it is carried out. */
type Resolve = (call: BridgeCall) => void | Promise<void>;

/** The host's functions by their server name; every other name is that of an upstream server. */
const toResolution =
  (hostFunctions: ReadonlyMap<string, Resolve>, resolveUpstream: Resolve): Middleware =>
  async (call, next) => {
    await (hostFunctions.get(call.guest.server) ?? resolveUpstream)(call);
    return next();
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
