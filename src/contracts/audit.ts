// The audit: one line per decision on a call and per call of a server. No line contains an argument or an answer.
import type { CallEffect } from "./journal-records.js";
import type { Json } from "./json.js";

export const auditModes = ["off", "on", "required"] as const;

/** `required`: a call that cannot be recorded is not made. */
export type AuditMode = (typeof auditModes)[number];

/** Where lines go besides the file. */
export interface AuditLogSettings {
  readonly toStderr: boolean;
  /** Receives batches of lines by POST. */
  readonly postTo?: string | undefined;
  /** The environment variable with the bearer token for it. */
  readonly postTokenVariable?: string | undefined;
  /** The file is rotated at this size. The chain continues in the new file. */
  readonly maxFileBytes: number;
  /** How many rotated files to retain. Absent: all. */
  readonly keptFiles?: number | undefined;
}

/** The facts about a call before it is made. */
export interface AuditedFacts {
  readonly server: string;
  readonly tool?: string | undefined;
  readonly fingerprint?: string | undefined;
  readonly effect?: CallEffect | undefined;
  /** The place of the call in its run. */
  readonly sequence?: number | undefined;
  /** Labels of the arguments, as the policy names them. */
  readonly labels?: readonly string[] | undefined;
  /** Only the HMAC and size of the arguments are recorded. */
  readonly arguments: Json;
}

/**
 * `warned`: a guardrail applies and does not block. `asked`: the call waits for a person. `refused`: not by a rule. After `cached`,
 * `simulated` and `captured` no server is called.
 */
export type AuditDecision =
  | "allowed"
  | "approved"
  | "asked"
  | "denied"
  | "refused"
  | "warned"
  | "cached"
  | "simulated"
  | "captured";

export interface AuditedDecision {
  readonly decision: AuditDecision;
  /** The name of the rule that decided. */
  readonly rule?: string | undefined;
  /** Who approved or declined it. */
  readonly approver?: string | undefined;
  /** Why it was refused. */
  readonly code?: string | undefined;
  /** Guardrails that apply to the arguments and do not block. */
  readonly warned?: readonly string[] | undefined;
}

/** The audit of one call. */
export interface CallAudit {
  /** Throws AUDIT_FAILED if the audit is required and the decision cannot be recorded. */
  readonly decide: (decided: AuditedDecision) => Promise<void>;
  /** Records that a guardrail applies to a program or to output. Throws like `decide`. */
  readonly noteGuardrail: (decided: AuditedDecision) => Promise<void>;
  /** Makes the call and records how it ended. Each use is one attempt. */
  readonly attempt: <Result>(
    make: () => Promise<Result>,
    measure?: (result: Result) => AttemptFacts,
  ) => Promise<Result>;
}

export interface AttemptFacts {
  readonly answerBytes?: number | undefined;
  /** @default "answered" */
  readonly outcome?: string | undefined;
}

/** One line of the audit. */
export interface AuditEntry extends AuditedDecisionFields {
  /** Counts the lines of all processes. */
  readonly n: number;
  readonly at: string;
  /** `gap`: lines that could not be written. `pruned`: old files were removed, as the settings say. */
  readonly kind: "decision" | "call" | "guardrail" | "gap" | "pruned";
  readonly caller?: string | undefined;
  readonly roles?: readonly string[] | undefined;
  readonly run?: string | undefined;
  readonly sequence?: number | undefined;
  /** The hash of the program. */
  readonly program?: string | undefined;
  /** Identifies the rules in force. */
  readonly policy?: string | undefined;
  readonly server?: string | undefined;
  readonly tool?: string | undefined;
  readonly fingerprint?: string | undefined;
  readonly effect?: CallEffect | undefined;
  readonly labels?: readonly string[] | undefined;
  readonly arguments?: { readonly hmac: string; readonly bytes: number } | undefined;
  readonly attempt?: number | undefined;
  readonly durationMs?: number | undefined;
  /** "answered", "failed" by the tool, or the code of the error. */
  readonly outcome?: string | undefined;
  readonly answerBytes?: number | undefined;
  /** For `gap`: how many lines. */
  readonly lost?: number | undefined;
  /** For `pruned`: the number of the first line that is left. */
  readonly first?: number | undefined;
  /** The `mac` of the line before. */
  readonly previous: string;
  /** The HMAC of this line. */
  readonly mac: string;
}

type AuditedDecisionFields = Partial<AuditedDecision>;

/** What is wrong with a line of the audit. */
export interface AuditProblem {
  readonly file: string;
  /** The line of the file. */
  readonly line: number;
  readonly problem: string;
}

/** What a check of the audit log found: whether every line is still as it was written. */
export interface AuditVerification {
  readonly isIntact: boolean;
  readonly lines: number;
  readonly files: number;
  readonly problems: readonly AuditProblem[];
  /** The `mac` of the last line. Keep it elsewhere: a later check with it finds lines that were removed from the end. */
  readonly anchor?: string | undefined;
}
