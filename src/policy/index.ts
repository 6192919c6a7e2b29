// The policy: rules on calls and data flows, guardrails, tokens for personal data, and inverse calls. Pure.
export { findWider, fitsEntry, openApprovedCalls } from "./approved-calls.js";
export { type CheckedRule, type CheckedServer, checkPolicy, type WrittenRule } from "./check-policy.js";
export { labelArguments, readArgumentFacts } from "./flows/label-arguments.js";
export {
  allLabels,
  joinLabels,
  type Labels,
  noLabels,
  noSource,
  openValueIndex,
  type SourceLabels,
} from "./flows/labels.js";
export { type FlowDecisions, openFlows } from "./flows/open-flows.js";
export type { Flow } from "./flows/parse-flows.js";
export {
  countReadings,
  type GuardedPlace,
  type Guardrail,
  type GuardrailMatch,
  matchGuardrails,
} from "./guardrails.js";
export { matchesGlob } from "./match-text.js";
export { defaultDenial, openPolicy, type PolicyDecisions, selects } from "./open-policy.js";
export { parsePolicy, toApprovalPolicy } from "./parse-policy.js";
export { RuleSyntaxError } from "./parse-rule.js";
export {
  type Policy,
  type PolicyAnswer,
  type PolicyTool,
  policyAnswers,
} from "./policy.js";
export {
  type HideOptions,
  hideFound,
  hideInText,
  listTexts,
  TooManyValues,
} from "./privacy/hide-values.js";
export { findPrivacyTokens, type HiddenKind, hiddenKinds, toPrivacyToken } from "./privacy/kinds.js";
export { type DetectorRule, readFindings } from "./privacy/outside-findings.js";
export { type PrivacyTokenFault, redeemPrivacyTokens } from "./privacy/redeem-tokens.js";
export { type HiddenValue, PrivacyTokenMap } from "./privacy/token-map.js";
export { type CheckedUndo, checkUndo } from "./undo/check-undo.js";
export { toInverseMaker, type UndoRule } from "./undo/inverse-calls.js";
