// The labels of a conversation: of everything that its model has read in results, and of calls that it makes without a program.
import type { BridgeLabels } from "../../bridge/index.js";
import {
  type FlowRuling,
  type Json,
  type JsonObject,
  oncePer,
  type RuledTool,
  readLargeInteger,
  type Tool,
  type Vault,
} from "../../contracts/index.js";
import {
  allLabels,
  type FlowDecisions,
  findPrivacyTokens,
  joinLabels,
  type Labels,
  labelArguments,
  noLabels,
  readArgumentFacts,
  toPrivacyToken,
} from "../../policy/index.js";
import { openLabelLedger } from "../../store/index.js";
import type { Host } from "../host/host.js";
import { openFlowDecisions, toPolicyTool } from "./open-policies.js";
import { openPrivacy, type TokenLabels } from "./open-privacy.js";

/** Whose results a model reads. Runs with the same object, or of the same workspace and caller, are one conversation. */
export interface Conversation {
  readonly workspace?: string | undefined;
  readonly caller?: string | undefined;
  readonly conversation?: object | undefined;
  /** It may be part of any conversation of its caller. */
  readonly isDirect?: boolean | undefined;
}

interface Contexts {
  readonly byObject: WeakMap<object, Labels>;
  readonly byName: Map<string, Labels>;
  /** All conversations of a workspace and caller together. */
  readonly joined: Map<string, Labels>;
}

/** Keyed by the vault: a host is copied for each run, its vault is not. */
const contextsOf = oncePer(
  (_vault: Vault): Contexts => ({ byObject: new WeakMap(), byName: new Map(), joined: new Map() }),
);

const nameOf = (host: Host, { workspace, caller }: Conversation): string =>
  JSON.stringify([workspace ?? host.configuration.settings.workspace, caller ?? ""]);

export const findContext = (host: Host, given: Conversation): Labels => {
  const { byObject, byName, joined } = contextsOf(host.vault);
  const name = nameOf(host, given);
  if (given.isDirect === true) return joined.get(name) ?? noLabels;
  const own = given.conversation === undefined ? undefined : byObject.get(given.conversation);
  return joinLabels(byName.get(name) ?? noLabels, own ?? noLabels);
};

export const raiseContext = (host: Host, given: Conversation, labels: Labels): void => {
  if (labels.size === 0) return;
  const { byObject, byName, joined } = contextsOf(host.vault);
  const { conversation } = given;
  const name = nameOf(host, given);
  joined.set(name, joinLabels(joined.get(name) ?? noLabels, labels));
  if (conversation === undefined) byName.set(name, joinLabels(byName.get(name) ?? noLabels, labels));
  else byObject.set(conversation, joinLabels(byObject.get(conversation) ?? noLabels, labels));
};

/** A skill's text may contain what its author has read: the model of any conversation of the workspace, or of the saved run. */
export const labelSavedSkill = async (
  host: Host,
  { workspace, runId }: { readonly workspace?: string | undefined; readonly runId?: string | undefined },
): Promise<void> => {
  const { configuration } = host;
  if (openFlowDecisions(configuration) === undefined) return;
  const { settings } = configuration;
  const ledger = openLabelLedger(settings.stateFolder, workspace ?? settings.workspace);
  const written = runId === undefined ? undefined : await ledger.read(`run ${runId}`);
  const labels = joinLabels(findContext(host, { workspace, isDirect: true }), new Set(written?.labels));
  if (labels.size > 0) await ledger.add("skills", { labels: [...labels] });
};

/** The model reads the result of a run that another conversation may have started. */
export const noteShownRun = async (
  host: Host,
  given: Conversation & { readonly runId: string },
): Promise<void> => {
  const { configuration } = host;
  if (openFlowDecisions(configuration) === undefined) return;
  const { stateFolder, workspace } = configuration.settings;
  const stored = await openLabelLedger(stateFolder, given.workspace ?? workspace).read(
    `shown ${given.runId}`,
  );
  raiseContext(host, given, new Set(stored?.labels));
};

export interface ShownFacts {
  /** The program. */
  readonly code: string;
  readonly run: Labels;
  /** The labels of answers that have this text. */
  readonly findText: (text: string) => Labels | undefined;
  readonly hasTokens: boolean;
}

/** More numbers, flags and texts of the program could spell anything. */
const maxPlain = 8;
const maxValues = 20_000;
const maxLiteral = 200;

const isLiteral = (code: string, text: string): boolean =>
  text.length <= maxLiteral && ['"', "'", "`"].some((quote) => code.includes(`${quote}${text}${quote}`));

/** Tokens that an answer of this run has, and nothing else. Invented ones could spell any text. */
const isOnlyTokens = (text: string, findText: ShownFacts["findText"]): boolean => {
  const tokens = findPrivacyTokens(text);
  let rest = text;
  for (const { start, end } of [...tokens].reverse()) rest = rest.slice(0, start) + rest.slice(end);
  return (
    tokens.length > 0 &&
    /^[\s,;]*$/.test(rest) &&
    tokens.every(({ kind, number }) => findText(toPrivacyToken(kind, number)) !== undefined)
  );
};

/** The labels of what a model reads of a run. Tokens, a few numbers and texts of the program itself have none. */
export const labelShown = (shown: unknown, { code, run, findText, hasTokens }: ShownFacts): Labels => {
  if (run.size === 0) return noLabels;
  let labels: Labels = noLabels;
  let plain = 0;
  let count = 0;
  const names = new Set<string>();
  const addPlain = (): void => {
    if (++plain > maxPlain) labels = joinLabels(labels, run);
  };
  const addName = (name: string): void => {
    if (names.has(name)) return;
    names.add(name);
    // Names of fields are in the program, or came with an answer.
    if (names.size > maxPlain * 4 || !code.includes(name)) labels = joinLabels(labels, findText(name) ?? run);
  };
  const waiting: unknown[] = [shown];
  while (waiting.length > 0 && labels !== run) {
    const value = waiting.pop();
    if (value === undefined || value === null) continue;
    if (++count > maxValues) return run;
    if (typeof value === "string") {
      if (value === "" || (hasTokens && isOnlyTokens(value, findText))) continue;
      const known = findText(value);
      if (known !== undefined) labels = joinLabels(labels, known);
      else if (isLiteral(code, value)) addPlain();
      else labels = joinLabels(labels, run);
    } else if (typeof value !== "object" || readLargeInteger(value as never) !== undefined) addPlain();
    else
      for (const [name, item] of Object.entries(value)) {
        if (!Array.isArray(value)) addName(name);
        waiting.push(item);
      }
  }
  return labels;
};

/** Texts in arguments that may have tokens, at any depth. */
export const listTokenTexts = (value: Json): readonly string[] => {
  const texts = new Set<string>();
  const waiting: Json[] = [value];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next === "string" && next.includes("[")) texts.add(next);
    else if (typeof next === "object" && next !== null)
      for (const item of Object.values(next)) waiting.push(item);
  }
  return [...texts];
};

const noTokens: ReadonlyMap<string, TokenLabels> = new Map();

/** What the flow rules say about a call with these arguments, and the labels of its data. */
export const ruleOnFlow = (
  flows: FlowDecisions,
  ruled: RuledTool & Partial<Pick<Tool, "inputSchema">>,
  given: JsonObject,
  sources: Omit<Parameters<typeof labelArguments>[1], "schema">,
): FlowRuling => {
  const tool = toPolicyTool(ruled);
  const schema = readArgumentFacts(ruled.inputSchema);
  const { total, parts } = labelArguments(given, { ...sources, schema }, flows.listArguments(tool));
  const { context, run } = sources;
  const { answer, flow } = flows.decide(tool, { total, parts, context, run });
  return { answer, rule: flow && { name: flow.name, because: flow.because }, labels: total };
};

interface CallLabels extends BridgeLabels {
  /** Before a server is called. The model may read what it says before its answer: questions and errors. */
  readonly noteCall: (tool: Tool) => void;
}

/** For a call without a run: the model chose every argument, and reads the whole answer. Undefined if no policy is about data. */
export const openCallLabels = (host: Host, given: Conversation): CallLabels | undefined => {
  const flows = openFlowDecisions(host.configuration);
  if (flows === undefined) return undefined;
  let carried: Labels = noLabels;
  return {
    judge: async ({ upstream, shown = {} }) => {
      if (upstream === undefined) return { answer: "allow", labels: noLabels };
      const context = joinLabels(findContext(host, given), flows.context);
      const tokens = (await openPrivacy(host, host.requester)?.readLabels(listTokenTexts(shown))) ?? noTokens;
      const ruling = ruleOnFlow(flows, upstream, shown, {
        context,
        run: context,
        isLiteral: () => false,
        findText: () => undefined,
        findToken: (text) => tokens.get(text),
        findStored: () => undefined,
      });
      carried = ruling.labels;
      return ruling;
    },
    store: async () => {},
    observe: async () => {},
    noteCall: (tool) =>
      raiseContext(host, given, joinLabels(allLabels(flows.describe(toPolicyTool(tool))), carried)),
  };
};
