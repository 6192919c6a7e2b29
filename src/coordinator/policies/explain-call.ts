// Explains what the policy says about a call, and tests it against examples that its author wrote.
import { readDocument } from "../../config/index.js";
import {
  CoordinatorError,
  isFields,
  type JsonObject,
  type PolicyDocument,
  toCoordinatorError,
  toVisibleText,
} from "../../contracts/index.js";
import {
  type CheckedRule,
  type Flow,
  type Guardrail,
  joinLabels,
  type PolicyAnswer,
  type PolicyTool,
  policyAnswers,
  type WrittenRule,
} from "../../policy/index.js";
import { nearestNames } from "../../schema/index.js";
import { findTool, type Host } from "../host/host.js";
import { checkInverses, checkPolicies } from "./check-policies.js";
import { findHits, judge, listGuardrails } from "./guard-texts.js";
import { openDecisions, openFlowDecisions, readPolicies, toPolicyTool } from "./open-policies.js";

/** A rule as its author sees it. Never show it to a program or a model. */
export interface RuleFacts {
  readonly name: string;
  /** `block` and `warn`: it is a guardrail. `label`: it is a source, and the label that its data gets. `hide`: kinds of personal data. `reveal`: a tool that gets hidden values. `distrust`: a server. */
  readonly answer: PolicyAnswer | Guardrail["mode"] | WrittenRule["answer"] | "hide";
  readonly text: string;
  readonly because?: string | undefined;
  readonly role?: string | undefined;
  readonly file?: string | undefined;
  readonly line?: number | undefined;
}

const toFacts = ({ name, answer, text, because, role, file, line }: WrittenRule): RuleFacts => ({
  name,
  answer,
  text,
  because,
  role,
  file,
  line,
});

const toGuardrailFacts = ({ name, mode, on, pattern, detect = [], ...facts }: Guardrail): RuleFacts => ({
  name,
  answer: mode,
  text: `${pattern === undefined ? detect.join(", ") : `/${pattern}/`} on ${on.join(", ")}`,
  because: facts.because,
  file: facts.file,
  line: facts.line,
});

/** `undo`: an inverse call that is declared for a tool. */
export interface CheckedRuleFacts
  extends Omit<RuleFacts, "answer">,
    Pick<CheckedRule, "severity" | "message"> {
  readonly answer: RuleFacts["answer"] | "undo";
  /** The number of known tools that it selects. Undefined for guardrails and `hide`, which are on texts. */
  readonly tools?: number | undefined;
}

/** Every rule with the number of known tools it selects, every inverse call, and what is wrong with them; then what is hidden, and every guardrail. */
export const checkPolicy = async (host: Host): Promise<readonly CheckedRuleFacts[]> => [
  ...(await checkPolicies(host)).map(({ rule, ...found }) => ({ ...toFacts(rule), ...found })),
  ...(await checkInverses(host)).map(({ rule: { name, inverse, file, line }, ...found }) => ({
    name: `undo ${name}`,
    answer: "undo" as const,
    text: `${name} by ${inverse.name}`,
    tools: found.severity === "none" ? 1 : 0,
    file,
    line,
    ...found,
  })),
  ...readPolicies(host.configuration)
    .filter(({ hide }) => hide.length > 0)
    .map(({ hide }) => ({
      name: "hide",
      answer: "hide" as const,
      text: hide.join(", "),
      severity: "none" as const,
    })),
  ...readPolicies(host.configuration)
    .flatMap(({ guardrails }) => guardrails)
    .map((guardrail) => ({ ...toGuardrailFacts(guardrail), severity: "none" as const })),
];

export interface ExplainCallRequest {
  readonly server: string;
  readonly tool: string;
  readonly arguments?: JsonObject | undefined;
  /** The caller who would make the call. */
  readonly caller?: string | undefined;
  /** Labels of all of its arguments, and of all that the run and its model have read. */
  readonly labels?: readonly string[] | undefined;
}

export interface ExplainedCall {
  /** Its full name. */
  readonly call: string;
  readonly answer: PolicyAnswer;
  /** Every rule that applies, the strongest first. Without one, the policy's default decides. */
  readonly rules: readonly (RuleFacts & {
    /** A condition could not be decided, so the rule applies to be safe. */
    readonly isUncertain?: true | undefined;
  })[];
}

export const explainCall = async (host: Host, request: ExplainCallRequest): Promise<ExplainedCall> => {
  const isFetch = request.server === "network" && request.tool === "fetch";
  const tool = isFetch
    ? toFetchTool(request.arguments?.method)
    : await findTool(host, request.server, request.tool);
  const decisions = openDecisions(host.configuration, host.configuration.settings.approve);
  const given = isFetch ? { method: "GET", ...request.arguments } : (request.arguments ?? {});
  const { answer, applied } = decisions.explain(toPolicyTool(tool), given, request.caller);
  const hits = await findHits(listGuardrails(host.configuration, "input"), given);
  const flows = explainFlows(host, toPolicyTool(tool), request);
  const blocked: readonly PolicyAnswer[] = judge(hits).blocking === undefined ? [] : ["deny"];
  const answers = [answer, ...blocked, ...flows.map((flow) => flow.answer)];
  const rules = [
    ...flows.map((flow) => toFacts(flow)),
    ...applied.map(({ rule, isCertain }) => ({
      ...toFacts({ ...rule, text: rule.pattern.text }),
      isUncertain: isCertain ? undefined : (true as const),
    })),
  ];
  const rank = (rule: RuleFacts): number => policyAnswers.indexOf(rule.answer as PolicyAnswer);
  return {
    call: `${tool.server}.${tool.name}`,
    answer: policyAnswers.findLast((one) => answers.includes(one)) ?? answer,
    rules: [
      ...hits.map(({ guardrail }) => toGuardrailFacts(guardrail)),
      ...rules.sort((one, other) => rank(other) - rank(one)),
    ],
  };
};

/** The flows that apply if all data has these labels. Throws USAGE for a label that the policy does not know. */
const explainFlows = (
  { configuration }: Host,
  tool: PolicyTool,
  { labels: given = [], arguments: value = {} }: ExplainCallRequest,
): readonly Flow[] => {
  const decisions = openFlowDecisions(configuration);
  const known = new Set(
    readPolicies(configuration).flatMap(({ data }) => [
      ...data.context,
      ...data.labels.map(({ label }) => label),
    ]),
  );
  const wrong = given.find((label) => !known.has(label));
  if (wrong !== undefined)
    throw new CoordinatorError("USAGE", `Cannot use the label "${wrong}": the policy has no such label`, {
      hint: `The known labels are: ${[...known].join(", ") || "none"}.`,
    });
  if (decisions === undefined) return [];
  const labels = joinLabels(new Set(given), decisions.context);
  const parts = decisions
    .listArguments(tool)
    .map(([name = ""]) => (Object.hasOwn(value, name) ? labels : undefined));
  return decisions.explain(tool, { total: labels, parts, context: labels, run: labels });
};

/** As the bridge sees a request. Without a method it is a GET. */
const toFetchTool = (method: unknown = "GET") => {
  const isReadOnly = typeof method === "string" && ["GET", "HEAD"].includes(method.toUpperCase());
  return { server: "(network)", name: "fetch", isReadOnly, isDestructive: !isReadOnly };
};

export interface PolicyTest {
  readonly call: string;
  /** Where it is in the file. Undefined in a JSON file. */
  readonly line?: number | undefined;
  readonly expected: PolicyAnswer;
  readonly answer?: PolicyAnswer | undefined;
  /** Why the call could not be judged. */
  readonly problem?: string | undefined;
  readonly isPassed: boolean;
}

/** The methods for the author of a policy. Never offer them to a program or a model. */
export interface PolicyVerbs {
  /** Lists every rule of the policy, with the number of known tools that it selects and what is wrong with it. */
  readonly checkPolicy: () => Promise<readonly CheckedRuleFacts[]>;
  /** Explains what the policy decides about a call, and by which rules. */
  readonly explainCall: (request: ExplainCallRequest) => Promise<ExplainedCall>;
  /** Tests the policy against the example calls of a file. Throws USAGE. */
  readonly testPolicy: (request: { readonly path: string }) => Promise<readonly PolicyTest[]>;
}

/** Judges every call of a file: a list of `{ call, with, as, labels, expect }`. */
export const testPolicy = async (
  host: Host,
  { path }: { readonly path: string },
): Promise<readonly PolicyTest[]> => {
  const read = await readDocument(path);
  const { document, lineOf } = read;
  if (!Array.isArray(document)) throw wrongFile(path, "it is not a list");
  const cases = (document as readonly unknown[]).map((item, index) => readCase(read, item, index));
  return Promise.all(
    cases.map(async ({ call, expected, ...request }, index): Promise<PolicyTest> => {
      const line = lineOf?.([index]);
      try {
        const { answer } = await explainCall(host, request);
        return { call, line, expected, answer, isPassed: answer === expected };
      } catch (thrown) {
        return { call, line, expected, problem: toCoordinatorError(thrown).message, isPassed: false };
      }
    }),
  );
};

const wrongFile = (path: string, state: string, hint?: string): CoordinatorError =>
  new CoordinatorError("USAGE", `Cannot read the examples in "${path}": ${state}`, {
    hint:
      hint ??
      "Expected a list of { call: server.tool, with: { … }, as: CALLER, labels: [NAME], expect: allow | ask | deny }.",
  });

const caseKeys = ["call", "with", "as", "labels", "expect"];

const readCase = ({ file, lineOf }: PolicyDocument, item: unknown, index: number) => {
  const line = lineOf?.([index]);
  const refuse = (state: string, hint?: string): CoordinatorError =>
    wrongFile(file, `example ${index + 1}${line === undefined ? "" : ` (line ${line})`} ${state}`, hint);
  if (!isFields(item)) throw refuse('is not a mapping with "call" and "expect"');
  const unknown = Object.keys(item).find((key) => !caseKeys.includes(key));
  if (unknown !== undefined) {
    const [near] = nearestNames(unknown, caseKeys, 1);
    const hint = near === undefined ? undefined : `Did you mean "${near}"?`;
    throw refuse(`has the unknown key "${toVisibleText(unknown)}"`, hint);
  }
  const { call, with: given, as, labels = [], expect } = item;
  const expected = policyAnswers.find((answer) => answer === expect);
  const dot = typeof call === "string" ? call.indexOf(".") : -1;
  if (typeof call !== "string" || dot < 1) throw refuse('has no "call" of the form server.tool');
  if (expected === undefined) throw refuse('has no "expect" with allow, ask or deny');
  if (!isFields(given ?? {})) throw refuse('has a "with" that is not a mapping of arguments');
  if (!Array.isArray(labels) || !labels.every((label) => typeof label === "string"))
    throw refuse('has "labels" that are not a list of names');
  return {
    call,
    expected,
    server: call.slice(0, dot),
    tool: call.slice(dot + 1),
    arguments: (given ?? {}) as JsonObject,
    caller: typeof as === "string" ? as : undefined,
    labels,
  };
};
