// The policies of the configuration: parsed once, and applied to every call.
import { hash } from "node:crypto";
import {
  type CallRuling,
  type Configuration,
  CoordinatorError,
  type JsonObject,
  type PolicyDocument,
  type RuledTool,
  type Tool,
} from "../../contracts/index.js";
import {
  defaultDenial,
  type FlowDecisions,
  openFlows,
  openPolicy,
  type Policy,
  type PolicyDecisions,
  type PolicyTool,
  parsePolicy,
  RuleSyntaxError,
  toApprovalPolicy,
} from "../../policy/index.js";
import { listFields } from "../../schema/index.js";

const maxShownProblems = 5;

const parsed = new WeakMap<readonly PolicyDocument[], readonly Policy[]>();

/** Throws CONFIG_INVALID with every problem. A policy with a mistake must not be used in part. */
export const readPolicies = ({ policies }: Pick<Configuration, "policies">): readonly Policy[] => {
  const known = parsed.get(policies);
  if (known !== undefined) return known;
  const results = policies.map(({ document, ...source }) => parsePolicy(document, source));
  const problems = results.flatMap((result) => result.problems);
  if (problems.length > 0) {
    const shown = problems
      .slice(0, maxShownProblems)
      .map(({ file, line, message }) => `${file}${line === undefined ? "" : `:${line}`}: ${message}`);
    const rest = problems.length > shown.length ? `\n${problems.length - shown.length} more` : "";
    throw new CoordinatorError("CONFIG_INVALID", `Cannot use the policy:\n${shown.join("\n")}${rest}`);
  }
  const read = results.map(({ policy }) => policy);
  parsed.set(policies, read);
  return read;
};

/** Few combinations are in use at once: those of the settings, profiles and requests. */
const maxOpened = 50;
const opened = new WeakMap<readonly Policy[], Map<string, PolicyDecisions>>();

/** The decisions for runs with these approval rules. They ask in addition to what the policies say. */
export const openDecisions = (
  configuration: Pick<Configuration, "policies">,
  approve: readonly string[],
): PolicyDecisions => {
  const policies = readPolicies(configuration);
  const byRules = opened.get(policies) ?? new Map<string, PolicyDecisions>();
  opened.set(policies, byRules);
  const key = JSON.stringify(approve);
  let found = byRules.get(key);
  if (found === undefined) {
    found = openPolicy(approve.length === 0 ? policies : [...policies, readApprovals(approve)]);
    if (byRules.size >= maxOpened) byRules.clear();
    byRules.set(key, found);
  }
  return found;
};

const openedFlows = new WeakMap<readonly Policy[], { readonly flows: FlowDecisions | undefined }>();

/** Undefined if no policy is about data: then nothing is labelled. */
export const openFlowDecisions = (
  configuration: Pick<Configuration, "policies">,
): FlowDecisions | undefined => {
  if (configuration.policies.length === 0) return undefined;
  const policies = readPolicies(configuration);
  let found = openedFlows.get(policies);
  if (found === undefined) {
    found = { flows: openFlows(policies) };
    openedFlows.set(policies, found);
  }
  return found.flows;
};

const versions = new WeakMap<PolicyDecisions, string>();

/** Identifies the rules that decide. The same rules have the same version in every process. */
export const readPolicyVersion = (
  configuration: Pick<Configuration, "policies">,
  approve: readonly string[],
): string => {
  const decisions = openDecisions(configuration, approve);
  let version = versions.get(decisions);
  if (version === undefined) {
    const written = configuration.policies.map(({ document }) => document);
    version = hash("sha256", JSON.stringify([written, approve])).slice(0, 16);
    versions.set(decisions, version);
  }
  return version;
};

/** The roles of a caller, sorted. */
export const listRoles = (
  configuration: Pick<Configuration, "policies">,
  caller: string | undefined,
): readonly string[] =>
  caller === undefined
    ? []
    : readPolicies(configuration)
        .flatMap(({ roles }) => [...roles].filter(([, callers]) => callers.includes(caller)))
        .map(([role]) => role)
        .sort();

const readApprovals = (approve: readonly string[]): Policy => {
  try {
    return toApprovalPolicy(approve);
  } catch (thrown) {
    if (!(thrown instanceof RuleSyntaxError)) throw thrown;
    throw new CoordinatorError("USAGE", `Cannot use a rule of "approve": ${thrown.message}`);
  }
};

const fieldsOf = new WeakMap<object, ReadonlySet<string>>();

/** With the arguments that the tool declares, if it declares any. */
export const toPolicyTool = (tool: RuledTool & Partial<Pick<Tool, "inputSchema">>): PolicyTool => {
  const { inputSchema } = tool;
  if (typeof inputSchema !== "object") return tool;
  let fields = fieldsOf.get(inputSchema);
  if (fields === undefined) {
    fields = new Set(listFields(inputSchema).map(({ name }) => name));
    fieldsOf.set(inputSchema, fields);
  }
  return { ...tool, fields: fields.size === 0 ? undefined : fields };
};

/** What the policy says about a call. `fetch` is the tool `network.fetch`. */
export const ruleOn = (
  decisions: PolicyDecisions,
  tool: RuledTool,
  value: JsonObject,
  caller?: string,
): CallRuling => {
  const { answer, rule } = decisions.decide(toPolicyTool(tool), value, caller);
  if (rule === undefined) return { answer, rule: answer === "deny" ? defaultDenial : undefined };
  return { answer, rule: { name: rule.name, because: rule.because } };
};

/** The stricter of two rulings, if the rules on another tool apply, too. */
export const ruleOnBoth = (
  decisions: PolicyDecisions,
  [tool, other]: readonly [RuledTool, RuledTool | undefined],
  value: JsonObject,
  caller?: string,
): CallRuling => {
  const ruling = ruleOn(decisions, tool, value, caller);
  if (other === undefined || ruling.answer === "deny") return ruling;
  const second = ruleOn(decisions, other, value, caller);
  return second.answer === "allow" ? ruling : second;
};
