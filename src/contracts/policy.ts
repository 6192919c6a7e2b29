// Policies: what a decision looks at of a call, and the ruling.
import type { Json } from "./json.js";

/** A policy as it was written. */
export interface PolicyDocument {
  readonly file: string;
  readonly document: Json;
  /** It was found in a project's folder: it can only narrow. */
  readonly isProject?: true | undefined;
  /** The line of a value in the file. */
  readonly lineOf?: ((path: readonly (string | number)[]) => number | undefined) | undefined;
}

/** What rules look at of a tool. */
export interface RuledTool {
  readonly server: string;
  /** The name on the wire. */
  readonly name: string;
  /** Its name in programs. */
  readonly functionName?: string | undefined;
  readonly isReadOnly: boolean;
  readonly isDestructive: boolean;
  /** Reaches beyond the server's own data. Undefined counts as true. */
  readonly isExternal?: boolean | undefined;
}

/** What programs, models and people read of a rule. It never contains the rule's pattern. */
export interface RuleName {
  readonly name: string;
  readonly because?: string | undefined;
}

/** What a policy says about a call. */
export interface CallRuling {
  readonly answer: "allow" | "ask" | "deny";
  /** The rule that decided. Undefined: no rule matches the call. */
  readonly rule?: RuleName | undefined;
}

/** What a policy says about the data in a call. */
export interface FlowRuling extends CallRuling {
  /** The labels of the arguments. */
  readonly labels: ReadonlySet<string>;
}
