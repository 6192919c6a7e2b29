// Rules for approval as people write them: a class of calls, or the names of tools with "*" for any part.

export const approvalClasses = ["writes", "destructive"] as const;

/** A word that is no class and has neither a dot nor a star would match no call at all. */
export const approvalRule = /[.*]|^(?:writes|destructive)$/;

export const approvalRuleWanted = '"writes", "destructive" or tools as "server.tool", with "*" for any part';
