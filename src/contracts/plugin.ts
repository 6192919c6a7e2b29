// What the embedding program puts before and after runs and calls: it may change, answer or refuse them.
import type { Language, LogLine } from "./executor.js";
import type { HostToolResult, HostTools } from "./host-tool.js";
import type { Json, JsonObject } from "./json.js";
import type { Limits } from "./limits.js";
import type { RunResult } from "./run.js";
import type { ToolResult } from "./tool.js";

// biome-ignore lint/suspicious/noConfusingVoidType: a hook that only looks returns nothing, and whatever it ends with may be void.
type Nothing = undefined | void;

/** What a hook gives back, at once or later. */
export type HookAnswer<Change> = Change | Nothing | Promise<Change | Nothing>;

/** It is refused, and why: programs and models read it. */
export interface Veto {
  readonly veto: string;
}

/** A run as it was asked for. */
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

/** What a run has instead: its program, its servers, limits among its own ones. */
export interface RunChange {
  readonly code?: string | undefined;
  readonly servers?: readonly string[] | undefined;
  readonly limits?: Partial<Limits> | undefined;
}

export interface EndedRunFacts extends RunFacts {
  readonly result: RunResult;
}

/** What is told of a run instead: what it returned, what it printed, the message of its error. */
export interface ResultChange {
  readonly value?: Json | undefined;
  readonly logs?: readonly LogLine[] | undefined;
  readonly errorMessage?: string | undefined;
}

/** A call of a tool that is about to be made. */
export interface CallFacts {
  readonly server: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly isReadOnly: boolean;
  readonly isDestructive: boolean;
  /** Absent when the tool is called without a program. */
  readonly runId?: string | undefined;
  readonly session?: string | undefined;
  readonly workspace: string;
  readonly signal: AbortSignal;
}

/** Other arguments, or an answer in the server's place: a JSON value, or `toolResult`. */
export type CallChange = { readonly arguments: JsonObject } | { readonly answer: Json | HostToolResult };

export interface EndedCallFacts extends CallFacts {
  readonly durationMs: number;
  /** The whole MCP result; absent when the call failed without one. */
  readonly result?: ToolResult | undefined;
  /** What a program gets of it; absent when the call failed. */
  readonly answer?: Json | undefined;
  readonly error?: { readonly code: string; readonly message: string } | undefined;
}

/** Another answer than the server's: a JSON value, or `toolResult`. */
export interface AnswerChange {
  readonly answer: Json | HostToolResult;
}

/** Each may be asynchronous. Nothing returned changes nothing; what is thrown refuses. */
export interface Hooks {
  /** Before a program is prepared and checked, in every attempt of it. */
  readonly beforeRun?: ((this: void, run: RunFacts) => HookAnswer<RunChange | Veto>) | undefined;
  /** Before the result is shown, kept or counted. */
  readonly afterRun?: ((this: void, run: EndedRunFacts) => HookAnswer<ResultChange | Veto>) | undefined;
  /** After the arguments were found to fit. A call that the journal answers does not come here. */
  readonly beforeCall?: ((this: void, call: CallFacts) => HookAnswer<CallChange | Veto>) | undefined;
  /** Before the answer is journalled, learned from or handed to the program. */
  readonly afterCall?: ((this: void, call: EndedCallFacts) => HookAnswer<AnswerChange | Veto>) | undefined;
}

/** Hooks and tools under one name. */
export interface Plugin extends Hooks {
  /** It is named when one of its hooks refuses. */
  readonly name: string;
  readonly tools?: HostTools | undefined;
}
