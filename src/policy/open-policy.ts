// Decides on calls. Rules are indexed by tool, so a decision tests only the conditions of rules that can apply.
import { defaultRepeats, type JsonObject, type RuleName } from "../contracts/index.js";
import { type Effort, evaluate, type Quantifier, toEffort } from "./condition.js";
import { type Certainty, every, matchesGlob, not, some } from "./match-text.js";
import type { RulePattern, Selector } from "./parse-rule.js";
import {
  type AppliedRule,
  type AskBy,
  type Decision,
  type Explanation,
  type Policy,
  type PolicyAnswer,
  type PolicyRule,
  type PolicyTool,
  policyAnswers,
} from "./policy.js";

export interface PolicyDecisions {
  /** `caller`: the authenticated user, if there is one. */
  readonly decide: (tool: PolicyTool, value: JsonObject, caller?: string) => Decision;
  /** The same with every rule that applies. */
  readonly explain: (tool: PolicyTool, value: JsonObject, caller?: string) => Explanation;
  /**
   * What it may say about a call of which only some arguments are known; `isOpen`: any value is possible. `deny` only if that is certain,
   * `ask` if it is possible.
   */
  readonly foresee: (
    tool: PolicyTool,
    value: JsonObject,
    isOpen: (name: string) => boolean,
    caller?: string,
  ) => PolicyAnswer;
  readonly askBy: AskBy;
  readonly maxRepeats: number;
  /** What denies the tool whatever its arguments are: a rule, or the default. Such tools are not shown. */
  readonly findDenial: (tool: PolicyTool, caller?: string) => RuleName | undefined;
}

interface SortedRule {
  readonly rule: PolicyRule;
  /** Undefined: everybody. */
  readonly callers: ReadonlySet<string> | undefined;
  /** Whether it is of the first policy. */
  readonly isBase: boolean;
}

/** What programs and models read if no rule matches and the default denies. */
export const defaultDenial: RuleName = { name: "default" };

/**
 * The first policy decides what happens if no rule matches. The others only narrow: their `ask` and `deny` rules count, and a stricter
 * default that they write; their `allow` rules do not. Without any policy, everything is allowed.
 */
export const openPolicy = (policies: readonly Policy[]): PolicyDecisions => {
  const [base, ...narrowing] = policies;
  const rules: SortedRule[] = [];
  for (const policy of policies)
    for (const rule of policy.rules) {
      if (rule.answer === "allow" && narrowing.includes(policy)) continue;
      const callers = rule.role === undefined ? undefined : new Set(policy.roles.get(rule.role));
      rules.push({ rule, callers, isBase: policy === base });
    }
  rules.sort((one, other) => rank(other.rule.answer) - rank(one.rule.answer));

  const toEffective = openTrust(policies);
  const listRules = cacheByTool((tool) => rules.filter(({ rule }) => selects(rule.pattern.selector, tool)));
  const defaults = [
    base?.otherwise ?? "allow",
    ...narrowing.map(({ otherwise }) => otherwise).filter((answer) => answer !== "by effect"),
  ];
  const otherwise = ({ isReadOnly }: PolicyTool): Decision => {
    const byEffect = isReadOnly ? "allow" : "ask";
    const answers = defaults.map((answer) => (answer === "by effect" ? byEffect : answer));
    return { answer: policyAnswers.findLast((answer) => answers.includes(answer)) ?? "deny" };
  };
  const concerns = (callers: ReadonlySet<string> | undefined, caller: string | undefined): boolean =>
    callers === undefined || (caller !== undefined && callers.has(caller));
  /** A policy that narrows must not turn a denial by default into a question. */
  const isDeniedFirst = (
    { rule, isBase }: SortedRule,
    appliesOther: (other: SortedRule) => boolean,
    tool: PolicyTool,
  ) =>
    base?.otherwise === "deny" &&
    rule.answer === "ask" &&
    !isBase &&
    !listRules(tool).some((other) => other.isBase && appliesOther(other));

  return {
    decide: (given, value, caller) => {
      const tool = toEffective(given);
      const effort = toEffort();
      const isApplied = ({ rule, callers }: SortedRule): boolean =>
        concerns(callers, caller) && applies(rule, tool, value, effort) !== "no";
      const found = listRules(tool).find(isApplied);
      if (found === undefined || isDeniedFirst(found, isApplied, tool)) return otherwise(tool);
      return { answer: found.rule.answer, rule: found.rule };
    },
    explain: (given, value, caller) => {
      const tool = toEffective(given);
      const effort = toEffort();
      const found = listRules(tool).flatMap((sorted) => {
        const certainty = concerns(sorted.callers, caller) ? applies(sorted.rule, tool, value, effort) : "no";
        return certainty === "no" ? [] : [{ sorted, isCertain: certainty === "yes" }];
      });
      const applied: AppliedRule[] = found.map(({ sorted: { rule }, isCertain }) => ({ rule, isCertain }));
      const first = found[0]?.sorted;
      const isApplied = (one: SortedRule): boolean => found.some(({ sorted }) => sorted === one);
      return first === undefined || isDeniedFirst(first, isApplied, tool)
        ? { ...otherwise(tool), applied }
        : { answer: first.rule.answer, rule: first.rule, applied };
    },
    foresee: (given, value, isOpen, caller) => {
      const tool = toEffective(given);
      const effort = toEffort();
      for (const sorted of listRules(tool)) {
        const { rule, callers } = sorted;
        if (!concerns(callers, caller)) continue;
        const found = applies(rule, tool, value, effort, isOpen);
        if (found !== "yes" && (found !== "unknown" || rule.answer !== "ask")) continue;
        return isDeniedFirst(sorted, (other) => concerns(other.callers, caller), tool) ? "deny" : rule.answer;
      }
      const { answer } = otherwise(tool);
      // An argument that is not known yet may be one that is allowed.
      const isAllowable = listRules(tool).some(
        ({ rule, callers }) =>
          rule.answer === "allow" &&
          concerns(callers, caller) &&
          judge(rule, tool, value, effort, isOpen) === "unknown",
      );
      return answer === "deny" && isAllowable ? "allow" : answer;
    },
    // A policy that narrows may ask for each call, but not for all of them at once.
    askBy: narrowing.some(({ askBy }) => askBy === "call") ? "call" : (base?.askBy ?? "call"),
    maxRepeats: Math.min(
      base?.maxRepeats ?? defaultRepeats,
      ...narrowing.flatMap(({ maxRepeats }) => maxRepeats ?? []),
    ),
    findDenial: (given, caller) => {
      const tool = toEffective(given);
      const found = listRules(tool);
      const denial = found.find(
        ({ rule, callers }) =>
          rule.answer === "deny" &&
          concerns(callers, caller) &&
          rule.pattern.conditions.length === 0 &&
          rule.unless.every(({ selector }) => !selects(selector, tool)),
      )?.rule;
      if (denial !== undefined || otherwise(tool).answer !== "deny") return denial;
      // Without a caller this is about everybody, so what a role is allowed counts.
      const isPossible = found.some(
        ({ rule, callers, isBase }) =>
          rule.answer !== "deny" &&
          (isBase || base?.otherwise !== "deny") &&
          (caller === undefined || concerns(callers, caller)),
      );
      return isPossible ? undefined : defaultDenial;
    },
  };
};

/** The tool as rules see it: the hints of servers under `distrust` are not believed. */
export const openTrust = (policies: readonly Policy[]): ((tool: PolicyTool) => PolicyTool) => {
  const distrusted = new Set(policies.flatMap(({ distrust }) => distrust));
  return (tool) =>
    distrusted.has(tool.server)
      ? { ...tool, isReadOnly: false, isDestructive: true, isExternal: true }
      : tool;
};

/** Beyond so many tools, the cache is cleared. */
const maxTools = 20_000;

/** Computes once what depends on a tool only. */
export const cacheByTool = <Facts>(find: (tool: PolicyTool) => Facts): ((tool: PolicyTool) => Facts) => {
  const known = new Map<string, { readonly facts: Facts }>();
  return (tool) => {
    const key = `${tool.isReadOnly}${tool.isDestructive}${tool.isExternal}${tool.server}\n${tool.name}\n${tool.functionName}`;
    const before = known.get(key);
    if (before !== undefined) return before.facts;
    const facts = find(tool);
    if (known.size >= maxTools) known.clear();
    known.set(key, { facts });
    return facts;
  };
};

const rank = (answer: PolicyAnswer): number => policyAnswers.indexOf(answer);

export const selects = (selector: Selector, tool: PolicyTool): boolean => {
  if (selector.kind === "class")
    switch (selector.name) {
      case "reads":
        return tool.isReadOnly;
      case "writes":
        return !tool.isReadOnly;
      case "destructive":
        return tool.isDestructive && !tool.isReadOnly;
      case "external":
        return tool.isExternal !== false;
    }
  const { glob } = selector;
  const names = [tool.name, tool.functionName ?? tool.name];
  // A program's `fetch` is also found without the parentheses.
  const servers = [tool.server, tool.server.replace(/^\((.*)\)$/, "$1")];
  return servers.some((server) => names.some((name) => matchesGlob(glob, `${server}.${name}`)));
};

/** An `allow` rule applies only if that is certain; the others also apply if it is unknown. */
const applies: typeof judge = (rule, ...facts) => {
  const found = judge(rule, ...facts);
  return rule.answer === "allow" && found === "unknown" ? "no" : found;
};

const judge = (
  rule: PolicyRule,
  tool: PolicyTool,
  value: JsonObject,
  effort: Effort,
  isOpen?: (name: string) => boolean,
): Certainty => {
  const isAllow = rule.answer === "allow";
  const main = holds(rule.pattern, tool, value, isAllow ? "every" : "some", effort, isOpen);
  if (main === "no") return "no";
  const exceptions = rule.unless
    .filter(({ selector }) => selects(selector, tool))
    .map((pattern) => holds(pattern, tool, value, isAllow ? "some" : "every", effort, isOpen));
  return every([main, not(some(exceptions))]);
};

const holds = (
  { conditions }: RulePattern,
  tool: PolicyTool,
  value: JsonObject,
  quantifier: Quantifier,
  effort: Effort,
  isOpen?: (name: string) => boolean,
): Certainty => {
  if (conditions.length === 0) return "yes";
  const hasField = (name: string): boolean => tool.fields?.has(name) ?? true;
  return every(
    conditions.map((condition) => evaluate(condition, value, quantifier, hasField, effort, isOpen)),
  );
};
