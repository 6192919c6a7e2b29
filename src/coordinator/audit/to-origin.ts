// The origin of a call for the audit: who makes it, in which run, under which rules.
import { hash } from "node:crypto";
import type { AuditedFacts, CallAudit } from "../../contracts/index.js";
import type { Host } from "../host/host.js";
import { listRoles, readPolicyVersion } from "../policies/open-policies.js";

export interface AuditedBy {
  readonly caller?: string | undefined;
  readonly runId?: string | undefined;
  /** The program. */
  readonly code?: string | undefined;
  /** The approval rules that apply in addition. */
  readonly approve: readonly string[];
}

/** Opens the audit of each call that the same run or caller makes. Undefined if the audit is off. */
export const openAuditOf = (
  { audit, configuration }: Pick<Host, "audit" | "configuration">,
  { caller, runId, code, approve }: AuditedBy,
): ((facts: AuditedFacts) => CallAudit) | undefined => {
  const { open } = audit;
  if (open === undefined) return undefined;
  const program = code === undefined ? undefined : hash("sha256", code);
  return (facts) => {
    const roles = listRoles(configuration, caller);
    const origin = {
      caller,
      roles: roles.length === 0 ? undefined : roles,
      run: runId,
      program,
      // An edited policy applies to runs in progress, too.
      policy: readPolicyVersion(configuration, approve),
    };
    return open(origin, facts);
  };
};
