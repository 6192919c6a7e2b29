// Hooks of the embedding program before and after runs and calls. They may change, answer or refuse them.
import type { Language, LogLine } from "./executor.js";
import type { HostToolResult, HostTools } from "./host-tool.js";
import type { Json, JsonObject } from "./json.js";
import type { Limits } from "./limits.js";
import type { RunResult } from "./run.js";
import type { ToolResult } from "./tool.js";

// biome-ignore lint/suspicious/noConfusingVoidType: a hook that only looks returns nothing, and whatever it ends with may be void.
type Nothing = undefined | void;

/** What a hook returns, synchronously or as a promise. */
export type HookAnswer<Change> = Change | Nothing | Promise<Change | Nothing>;

/** Refuses, with a reason that programs and models read. */
export interface Veto {
  readonly veto: string;
}

/** A run as requested. */
export interface RunFacts {
  readonly runId: string;
  readonly code: string;
  readonly language: Language;
  readonly mode: "run" | "plan";
  readonly session?: string | undefined;
  readonly workspace: string;
  readonly servers?: readonly string[] | undefined;
  readonly profile?: string | undefined;
  readonly limits?: Partial<Limits> | undefined;
  readonly description?: string | undefined;
}

/** Changes to a run: its program, servers or limits. */
export interface RunChange {
  readonly code?: string | undefined;
  readonly servers?: readonly string[] | undefined;
  readonly limits?: Partial<Limits> | undefined;
}

export interface EndedRunFacts extends RunFacts {
  readonly result: RunResult;
}

/** Changes to a result: what was returned or printed, or the error message. */
export interface ResultChange {
  readonly value?: Json | undefined;
  readonly logs?: readonly LogLine[] | undefined;
  readonly errorMessage?: string | undefined;
}

/** A tool call that is about to be made. */
export interface CallFacts {
  readonly server: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly isReadOnly: boolean;
  readonly isDestructive: boolean;
  /** Absent if the tool is called without a program. */
  readonly runId?: string | undefined;
  readonly session?: string | undefined;
  readonly workspace: string;
  readonly signal: AbortSignal;
}

/** Changed arguments, or an answer in place of the server's: a JSON value, or `toolResult`. */
export type CallChange = { readonly arguments: JsonObject } | { readonly answer: Json | HostToolResult };

export interface EndedCallFacts extends CallFacts {
  readonly durationMs: number;
  /** The whole MCP result; absent if the call failed without one. */
  readonly result?: ToolResult | undefined;
  /** What a program gets of it; absent if the call failed. */
  readonly answer?: Json | undefined;
  readonly error?: { readonly code: string; readonly message: string } | undefined;
}

/** An answer that replaces the server's: a JSON value, or `toolResult`. */
export interface AnswerChange {
  readonly answer: Json | HostToolResult;
}

/** Each may be asynchronous. Returning nothing changes nothing; throwing refuses. */
export interface Hooks {
  /** Before a program is prepared and checked, in every attempt. */
  readonly beforeRun?: ((this: void, run: RunFacts) => HookAnswer<RunChange | Veto>) | undefined;
  /** Before the result is shown, stored or counted. */
  readonly afterRun?: ((this: void, run: EndedRunFacts) => HookAnswer<ResultChange | Veto>) | undefined;
  /** After the arguments were validated. Not called for calls that the journal answers. */
  readonly beforeCall?: ((this: void, call: CallFacts) => HookAnswer<CallChange | Veto>) | undefined;
  /** Before the answer is journaled, learned from or passed to the program. */
  readonly afterCall?: ((this: void, call: EndedCallFacts) => HookAnswer<AnswerChange | Veto>) | undefined;
}

/** Hooks and tools under one name. */
export interface Plugin extends Hooks {
  /** Named in the message if one of its hooks refuses. */
  readonly name: string;
  readonly tools?: HostTools | undefined;
}
