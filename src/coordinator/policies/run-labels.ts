// The labels of one run: what its program has read, what it stores, and what its result lets the model read.
import type { BridgeCall, BridgeLabels } from "../../bridge/index.js";
import {
  CoordinatorError,
  type EffectManifest,
  type ErrorCode,
  type FlowRuling,
  type GuestAnswer,
  type Json,
  type JsonObject,
  type RunResult,
  readJson,
  skillsServer,
  storedServer,
  workspaceServer,
} from "../../contracts/index.js";
import {
  allLabels,
  type FlowDecisions,
  joinLabels,
  type Labels,
  noLabels,
  noSource,
  openValueIndex,
  type SourceLabels,
} from "../../policy/index.js";
import { openLabelLedger, type StoredLabels } from "../../store/index.js";
import type { Host } from "../host/host.js";
import { labelShown, listTokenTexts, raiseContext, ruleOnFlow } from "./conversation-labels.js";
import { type BegunRun, findLiterals, readFirstLabels } from "./foresee-flows.js";
import { openFlowDecisions, toPolicyTool } from "./open-policies.js";
import { openPrivacy, type TokenLabels } from "./open-privacy.js";

export interface RunLabels extends BridgeLabels {
  /** Adds the labels of what the model reads to its conversation. */
  readonly show: (shown: unknown) => void;
  /** The run has ended. */
  readonly end: (result: RunResult) => Promise<void>;
}

interface LabelledRun extends BegunRun {
  readonly code: string;
  /** What the check found. Undefined: it was not checked. */
  readonly manifest?: EffectManifest | undefined;
}

/** Answers above this size are not read: values of the run are not tracked from then on. */
const maxReadBytes = 256 * 1024;

/** Refused by the host: no server has said anything. */
const ownFailures: ReadonlySet<string> = new Set([
  "CALL_DENIED",
  "FLOW_DENIED",
  "OUTSIDE_MANIFEST",
  "CALL_NOT_DECLARED",
  "SERVER_NOT_ALLOWED",
  "NOBODY_TO_ASK",
  "TOKEN_UNKNOWN",
  "TOKEN_EXPIRED",
  "TOKEN_WITHHELD",
  "QUOTA_EXCEEDED",
]);

const toStored = ({ whole, fields }: SourceLabels): StoredLabels => ({ labels: [...whole], fields });
const fromStored = (stored: StoredLabels): SourceLabels => ({
  whole: new Set(stored.labels),
  fields: stored.fields ?? [],
});
const noTokens: ReadonlyMap<string, TokenLabels> = new Map();

/** Undefined if no policy is about data. */
export const openRunLabels = async (host: Host, given: LabelledRun): Promise<RunLabels | undefined> => {
  if (openFlowDecisions(host.configuration) === undefined) return undefined;
  const { settings } = host.configuration;
  const { runId, session, manifest, isDirect } = given;
  const workspace = given.workspace ?? settings.workspace;
  const ledger = openLabelLedger(settings.stateFolder, workspace);
  const privacy = openPrivacy(host, { workspace: given.workspace, session });
  const index = openValueIndex();
  const readStored = async (key: string): Promise<Labels> => new Set((await ledger.read(key))?.labels);
  // Read for each call: an edited policy applies to runs in progress, too.
  const flows = (): FlowDecisions | undefined => openFlowDecisions(host.configuration);

  const { context, run: first } = await readFirstLabels(host, given);
  if (context.size > 0) await ledger.add(`run ${runId}`, { labels: [...context] });
  const sessionKey = session === undefined ? undefined : `session ${session}`;
  let run = first;

  /** Before the guest has the data. */
  const raise = async (labels: Labels): Promise<void> => {
    const raised = joinLabels(run, labels);
    if (raised === run) return;
    run = raised;
    if (sessionKey !== undefined) await ledger.add(sessionKey, { labels: [...run] });
  };
  let shownLabels: Labels = noLabels;
  const noteShown = (labels: Labels): void => {
    raiseContext(host, given, labels);
    shownLabels = joinLabels(shownLabels, labels);
  };
  const show = (shown: unknown): void => {
    const facts = { code: given.code, run, findText: index.find, hasTokens: privacy !== undefined };
    noteShown(labelShown(shown, facts));
  };
  /** Calls with stored values that the program never had. A question or a plan shows what is in them. */
  const unmade = new Map<BridgeCall, Labels>();

  const readHandles = async ({ handles }: BridgeCall): Promise<ReadonlyMap<Json, Labels>> => {
    const found = new Map<Json, Labels>();
    for (const [value, id] of handles ?? []) found.set(value, allLabels(await readValue(id)));
    return found;
  };
  /** The labels of an old value were not recorded, so it has all labels of the workspace. */
  const readValue = async (id: string): Promise<SourceLabels> => {
    const stored = await ledger.read(`value ${id}`);
    return stored === undefined ? { ...noSource, whole: await readStored("files") } : fromStored(stored);
  };

  const judge = async (call: BridgeCall): Promise<FlowRuling> => {
    const decisions = flows();
    if (decisions === undefined || call.ruled === undefined) return { answer: "allow", labels: noLabels };
    const value = call.shown ?? {};
    const texts = privacy === undefined ? [] : listTokenTexts(value);
    const tokens = texts.length === 0 ? noTokens : ((await privacy?.readLabels(texts)) ?? noTokens);
    const stored = await readHandles(call);
    const contents = [...stored.values()].reduce(joinLabels, noLabels);
    if (contents.size > 0) unmade.set(call, contents);
    return ruleOnFlow(decisions, call.ruled, value, {
      context,
      // A stored value may have been turned into text.
      run: joinLabels(run, contents),
      isLiteral: findLiterals(manifest, call),
      findText: index.find,
      findToken: (text) => tokens.get(text),
      findStored: (one) => stored.get(one),
    });
  };

  /** Labels what the program gets of an answer. */
  const labelAnswer = async (
    answer: GuestAnswer,
    source: SourceLabels,
    more: Labels,
    isStructured = true,
  ): Promise<void> => {
    const everything = joinLabels(allLabels(source), more);
    const text = answer.status === "answered" ? answer.body : answer.message;
    const isJson = answer.status === "answered" && answer.format !== "text";
    if (text.length > maxReadBytes) {
      index.giveUp();
      return raise(everything);
    }
    const value = isJson ? await readJson(text).catch(() => undefined) : undefined;
    if (value === undefined) {
      index.addText(text, everything);
      return raise(everything);
    }
    await raise(
      isStructured
        ? index.addJson(value as Json, source, more)
        : index.addJson(value as Json, { ...noSource, whole: everything }, noLabels),
    );
  };

  /** A message of the host has no data in it, also where a result shows it without its hint. */
  const noteOwn = ({ code, message }: Extract<GuestAnswer, { readonly status: "failed" }>): void => {
    const { hint } = new CoordinatorError(code as ErrorCode, "");
    index.addText(message, noLabels);
    if (message.endsWith(`. ${hint}`)) index.addText(message.slice(0, -hint.length - 2), noLabels);
  };

  const observeHost = async ({ guest }: BridgeCall, answer: GuestAnswer): Promise<void> => {
    if (guest.server === workspaceServer) await raise(await readStored("files"));
    else if (guest.server === skillsServer) await raise(await readStored("skills"));
    else if (guest.server === storedServer && answer.status === "answered") {
      const [id, query] = readArguments(guest.argumentsJson);
      if (guest.tool === "keep" || guest.tool === "artifact") {
        await ledger.add(`value ${readId(answer.body)}`, { labels: [...run] });
        // Clients read artifacts without the program.
        if (guest.tool === "artifact") raiseContext(host, given, run);
      } else if (guest.tool !== "stored" && typeof id === "string") {
        const source = await readValue(id);
        await labelAnswer(answer, source, labelQuery(source, query));
      }
    }
  };

  return {
    judge,
    store: async ({ guest }) => {
      if (run.size === 0) return;
      if (guest.server === workspaceServer) await ledger.add("files", { labels: [...run] });
      if (guest.server === skillsServer) await ledger.add("skills", { labels: [...run] });
    },
    observe: async (call, answer) => {
      if (call.ruled === undefined) return observeHost(call, answer);
      if (call.decision !== "captured") unmade.delete(call);
      if (answer.status === "failed" && ownFailures.has(answer.code)) return noteOwn(answer);
      const described = flows()?.describe(toPolicyTool(call.ruled)) ?? noSource;
      // A server may repeat what it was given.
      const carried = call.flow?.labels ?? noLabels;
      if (call.isStored === true && answer.status === "answered") {
        const source = { ...described, whole: joinLabels(described.whole, carried) };
        await ledger.add(`value ${readId(answer.body)}`, toStored(source));
        return;
      }
      await labelAnswer(answer, described, carried, !call.guest.isRaw);
      if (isDirect) raiseContext(host, given, joinLabels(allLabels(described), carried));
    },
    show,
    end: async ({ value, error, question, plan, artifacts }) => {
      show([value, error?.message, error?.details, question?.text, question?.calls, plan?.calls, artifacts]);
      if (question !== undefined || plan !== undefined)
        for (const contents of unmade.values()) noteShown(contents);
      if (shownLabels.size > 0) await ledger.add(`shown ${runId}`, { labels: [...shownLabels] });
      // The programs that carry out a plan, or undo a run, contain what this one has read.
      if (run.size > 0)
        for (const suffix of ["commit", "undo"])
          await ledger.add(`run ${runId}-${suffix}`, { labels: [...run] });
    },
  };
};

const maxBytes = 256 * 1024;

const readArguments = (text: string): readonly Json[] => {
  try {
    const parsed: unknown = text.length > maxBytes ? [] : JSON.parse(text);
    return Array.isArray(parsed) ? (parsed as Json[]) : [];
  } catch {
    return [];
  }
};

const readId = (body: string): string => {
  const { id } = JSON.parse(body) as { readonly id?: unknown };
  return String(id);
};

/** Fields that a query enters or compares are read, although the answer does not name them. */
const labelQuery = ({ fields }: SourceLabels, query: Json | undefined): Labels => {
  const { path = "", where = {} } =
    typeof query === "string" ? { path: query } : ((query ?? {}) as JsonObject);
  const names = `${JSON.stringify(path)} ${JSON.stringify(where)}`;
  return new Set(
    fields.flatMap(({ path: wanted, label }) => (names.includes(wanted.at(-1) ?? "") ? [label] : [])),
  );
};
