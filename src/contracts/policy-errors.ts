// Rows of the error table about what a policy, a limit, a pin or the audit refuses.
import { type ErrorEntry, entry } from "./error-entries.js";

export const policyErrors = {
  CALL_DENIED: entry(
    "user",
    "The call needed approval and was denied; it was not made.",
    "Continue without it. A program can catch the exception.",
  ),
  FLOW_DENIED: entry(
    "user",
    "The policy does not let this data flow to this tool; the call was not made.",
    "Store the value with keep and pass the handle, pass on only fields that are not labelled, write before you read, use two runs, or ask the person to approve it.",
  ),
  QUOTA_EXCEEDED: entry(
    "user",
    "A quota of the setting `flow` is used up; the call was not made.",
    "Wait until the quota resets, make fewer calls, or raise the quota.",
  ),
  AUDIT_FAILED: entry(
    "user",
    "The audit is required, and a call could not be recorded; it was not made.",
    "Free disk space, correct the permissions of the state folder, or check the endpoint of the audit; then try again.",
  ),
  TOOL_CHANGED: entry(
    "user",
    "The definition of the tool is new or has changed, and nobody has accepted it yet; it was not called.",
    'Review it with "mcp-coordinator pins".',
  ),
  TOKEN_UNKNOWN: entry(
    "user",
    "An argument contains a token for a hidden value that this session was never given.",
    "Use tokens exactly as answers contain them, in the session that got them. Do not make them up.",
  ),
  TOKEN_EXPIRED: entry(
    "user",
    "An argument contains a token whose hidden value is no longer stored.",
    "Read the value from its server again: the answer has a new token.",
  ),
  TOKEN_WITHHELD: entry(
    "user",
    "The policy does not let this tool receive a hidden value of another server.",
    'Continue without it. A person can allow it in the policy, with "reveal" or a flow.',
  ),
  ANSWER_WITHHELD: entry(
    "user",
    "The personal values in an answer could not be hidden, so the program does not get it. The call was made.",
    "Ask the tool for less at once: fewer rows, fewer fields.",
  ),
  GUARDRAIL_BLOCKED: entry(
    "user",
    "A guardrail of the policy blocks the program, the arguments of a call, or what would be shown.",
    "Leave out what the message names. Only a person can change guardrails, in the policy.",
  ),
} as const satisfies Record<string, ErrorEntry>;
