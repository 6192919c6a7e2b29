// Decides whether data may flow into a call. Flows and labels are indexed by tool.
import { toLoose } from "../match-text.js";
import { cacheByTool, openTrust, selects } from "../open-policy.js";
import { type Policy, type PolicyAnswer, type PolicyTool, policyAnswers } from "../policy.js";
import {
  type FieldLabel,
  joinLabels,
  type Labels,
  noLabels,
  noSource,
  type SourceLabels,
  untrusted,
} from "./labels.js";
import type { Destination, Flow, LabelRule } from "./parse-flows.js";

/** The labels of a call, as far as flows need them. */
export interface LabelledCall {
  /** The labels of all arguments together. */
  readonly total: Labels;
  /** The labels of single arguments, in the order of `listArguments`. Undefined: the argument is not given. */
  readonly parts: readonly (Labels | undefined)[];
  /** The labels of what the author of the program had read. */
  readonly context: Labels;
  /** Of all that the run has read, the context included. */
  readonly run: Labels;
}

export interface FlowDecision {
  readonly answer: PolicyAnswer;
  /** The strongest flow that applies. Undefined: none does. */
  readonly flow?: Flow | undefined;
}

export interface FlowDecisions {
  /** Labels of whatever a model may have read elsewhere. */
  readonly context: Labels;
  /** The labels of what a tool answers. */
  readonly describe: (tool: PolicyTool) => SourceLabels;
  /** The arguments whose labels matter for calls of the tool. */
  readonly listArguments: (tool: PolicyTool) => readonly (readonly string[])[];
  readonly decide: (tool: PolicyTool, call: LabelledCall) => FlowDecision;
  /** Every flow that applies, the strongest first. */
  readonly explain: (tool: PolicyTool, call: LabelledCall) => readonly Flow[];
  /** Whether an `allow` flow leads from one of these labels to this argument. */
  readonly allows: (labels: Iterable<string>, tool: PolicyTool, path: readonly string[]) => boolean;
}

/** A flow that has the tool as a destination. `at`: the place of each argument in `listArguments`; undefined: the whole call. */
interface ToolFlow {
  readonly flow: Flow;
  readonly ends: readonly (number | undefined)[];
}

interface ToolFacts {
  readonly source: SourceLabels;
  readonly flows: readonly ToolFlow[];
  readonly arguments: readonly (readonly string[])[];
  readonly allowed: readonly { readonly flow: Flow; readonly destination: Destination }[];
}

/**
 * Undefined if no policy has flows or labels. The first policy decides; the others only narrow: their labels and their `ask` and `deny` flows
 * count, their `allow` flows do not.
 */
export const openFlows = (policies: readonly Policy[]): FlowDecisions | undefined => {
  const [base] = policies;
  const all = policies.map(({ data }) => data);
  const labels = all.flatMap((data) => data.labels);
  const flows = policies
    .flatMap((policy) => policy.data.flows.filter(({ answer }) => answer !== "allow" || policy === base))
    .sort((one, other) => policyAnswers.indexOf(other.answer) - policyAnswers.indexOf(one.answer));
  if (labels.length === 0 && flows.length === 0) return undefined;
  const toEffective = openTrust(policies);
  const find = cacheByTool((tool) => toFacts(toEffective(tool), labels, flows));
  const applies = ({ flow, ends }: ToolFlow, call: LabelledCall): boolean =>
    flow.answer !== "allow" &&
    ends.some((end) => {
      const part = end === undefined ? call.total : call.parts[end];
      if (part === undefined) return false;
      return flow.sources.every((source) =>
        flow.isStrict
          ? call.run.has(source)
          : part.has(source) || (source === untrusted && call.context.has(source)),
      );
    });
  return {
    context: new Set(all.flatMap((data) => data.context)),
    describe: (tool) => find(tool).source,
    listArguments: (tool) => find(tool).arguments,
    decide: (tool, call) => {
      const found = find(tool).flows.find((one) => applies(one, call));
      return found === undefined ? { answer: "allow" } : { answer: found.flow.answer, flow: found.flow };
    },
    explain: (tool, call) =>
      find(tool)
        .flows.filter((one) => applies(one, call))
        .map(({ flow }) => flow),
    allows: (given, tool, path) => {
      const { allowed } = find(tool);
      if (allowed.length === 0) return false;
      const has = given instanceof Set ? given : new Set(given);
      return allowed.some(
        ({ flow, destination: { argument = [] } }) =>
          flow.sources.every((source) => has.has(source)) && argument.every((name, at) => path[at] === name),
      );
    },
  };
};

const toFacts = (tool: PolicyTool, labels: readonly LabelRule[], flows: readonly Flow[]): ToolFacts => {
  const paths: (readonly string[])[] = [];
  const toEnd = ({ argument }: Destination): number | undefined => {
    if (argument === undefined) return undefined;
    const known = paths.findIndex((path) => path.join("\n") === argument.join("\n"));
    return known >= 0 ? known : paths.push(argument) - 1;
  };
  const ended = flows.flatMap((flow) => {
    const destinations = flow.destinations.filter(({ selector }) => selects(selector, tool));
    return destinations.length === 0 ? [] : [{ flow, destinations }];
  });
  return {
    source: toSource(labels.filter(({ selector }) => selects(selector, tool))),
    flows: ended.map(({ flow, destinations }) => ({ flow, ends: destinations.map(toEnd) })),
    arguments: paths,
    allowed: ended.flatMap(({ flow, destinations }) =>
      flow.answer === "allow" ? destinations.map((destination) => ({ flow, destination })) : [],
    ),
  };
};

const toSource = (labels: readonly LabelRule[]): SourceLabels => {
  if (labels.length === 0) return noSource;
  let whole: Labels = noLabels;
  const fields: FieldLabel[] = [];
  for (const { label, field } of labels)
    if (field === undefined) whole = joinLabels(whole, new Set([label]));
    else fields.push({ path: field, label });
  return { whole, fields };
};

/** Servers may ignore case and width in names. */
export const startsWithPath = (path: readonly string[], wanted: readonly string[]): boolean =>
  wanted.every((name, at) => path[at] === name || toLoose(path[at] ?? "") === toLoose(name));
