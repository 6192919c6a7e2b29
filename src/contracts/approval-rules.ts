// Approval rules: a class of calls, or tool names with "*" for any part.

export const approvalClasses = ["writes", "destructive"] as const;

/** A word that is not a class and has neither a dot nor a star would match no call. */
export const approvalRule = /[.*]|^(?:writes|destructive)$/;

export const approvalRuleWanted = '"writes", "destructive" or tools as "server.tool", with "*" for any part';
