// Rules for approval as people write them: a class of calls, or the names of tools with "*" for any part.

export const approvalClasses = ["writes", "destructive"] as const;

/** A word that is neither would match no call at all. */
export const isApprovalRule = (rule: string): boolean =>
  approvalClasses.some((name) => name === rule) || /[.*]/.test(rule);

export const approvalRuleWanted = '"writes", "destructive" or tools as "server.tool", with "*" for any part';
