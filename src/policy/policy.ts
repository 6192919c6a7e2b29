// A policy: rules that allow, ask about or deny calls. `deny` wins over `ask`, `ask` over `allow`, in whatever order they are written.
import type { CallRuling, RuledTool } from "../contracts/index.js";
import type { FlowPolicy } from "./flows/parse-flows.js";
import type { Guardrail } from "./guardrails.js";
import type { RulePattern, Selector } from "./parse-rule.js";
import type { HiddenKind } from "./privacy/kinds.js";
import type { DetectorRule } from "./privacy/outside-findings.js";
import type { UndoRule } from "./undo/inverse-calls.js";

/** From the weakest to the strongest. */
export const policyAnswers = ["allow", "ask", "deny"] as const;

export type PolicyAnswer = (typeof policyAnswers)[number];

export interface PolicyRule {
  readonly answer: PolicyAnswer;
  readonly pattern: RulePattern;
  /** The rule does not apply to what these match. */
  readonly unless: readonly RulePattern[];
  /** What programs, models and people read. It never contains the pattern. */
  readonly name: string;
  readonly because?: string | undefined;
  /** The role whose callers it concerns. Undefined: everybody. */
  readonly role?: string | undefined;
  readonly file?: string | undefined;
  readonly line?: number | undefined;
}

export interface Policy {
  /** Where it was read from. */
  readonly file?: string | undefined;
  readonly rules: readonly PolicyRule[];
  /** The answer if no rule matches. `by effect`: reads are allowed, everything else asks. */
  readonly otherwise: PolicyAnswer | "by effect";
  /** Servers whose read-only hints are not believed. */
  readonly distrust: readonly string[];
  /** The kinds of personal data that programs and models see as tokens. */
  readonly hide: readonly HiddenKind[];
  /** A detector outside of this program that looks for more of them. */
  readonly detector?: DetectorRule | undefined;
  /** The tools that get values of other servers. */
  readonly reveal: readonly Reveal[];
  /** The inverse calls of tools that write. */
  readonly undo?: readonly UndoRule[] | undefined;
  /** Patterns on programs, on what servers get, and on what models read. */
  readonly guardrails: readonly Guardrail[];
  /** Labels of data, and where it may flow. */
  readonly data: FlowPolicy;
  /** Role → names of its callers. */
  readonly roles: ReadonlyMap<string, readonly string[]>;
  /** Whether people are asked for each call, or once for all calls of a program. */
  readonly askBy?: AskBy | undefined;
  /** How often a call in a loop may be made under one approval of its program. */
  readonly maxRepeats?: number | undefined;
}

export const asksBy = ["call", "program"] as const;

export type AskBy = (typeof asksBy)[number];

/** A tool that gets hidden values of other servers. Every server gets back its own. */
export interface Reveal extends Pick<PolicyRule, "line"> {
  readonly selector: Selector;
  /** The selector, as it is written. */
  readonly text: string;
  readonly kinds: readonly HiddenKind[];
}

export interface PolicyTool extends RuledTool {
  /** The arguments that it declares. Undefined: any. */
  readonly fields?: ReadonlySet<string> | undefined;
}

export interface Decision extends CallRuling {
  /** The strongest rule that applies. Undefined: no rule matches. */
  readonly rule?: PolicyRule | undefined;
}

/** A rule that applies to a call, and whether that is certain. */
export interface AppliedRule {
  readonly rule: PolicyRule;
  readonly isCertain: boolean;
}

export interface Explanation extends Decision {
  /** Every rule that applies, the strongest first. */
  readonly applied: readonly AppliedRule[];
}
