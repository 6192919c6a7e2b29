// What the embedding program registers in code: tools that are host functions, and hooks before and after runs and calls.
import type { Language, LogLine } from "./executor.js";
import type { Json, JsonObject } from "./json.js";
import type { Limits } from "./limits.js";
import type { RunResult } from "./run.js";
import type { Listing, ToolAnnotations, ToolResult } from "./tool.js";

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

/** What a hook learns about a run that has ended. */
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

/** What a hook learns about a call that has ended: its answer or its error. */
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

interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

type StandardOutcome<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** A schema of any library that implements Standard Schema, e.g. zod 4: it validates, and converts itself to JSON Schema. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardOutcome<Output> | Promise<StandardOutcome<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    readonly jsonSchema?:
      | {
          readonly input: (options: { readonly target: "draft-2020-12" }) => Record<string, unknown>;
          readonly output: (options: { readonly target: "draft-2020-12" }) => Record<string, unknown>;
        }
      | undefined;
  };
}

/** A schema of such a library, or a plain JSON Schema. */
export type ToolSchema = StandardSchema | { readonly [keyword: string]: unknown };

/** What a function receives besides its arguments. */
export interface ToolContext {
  /** Fires when nobody waits for the answer any more: the run ended, was cancelled or timed out. */
  readonly signal: AbortSignal;
  /** Reports progress: one line for each follower of the run. */
  readonly progress: (message: string) => void;
  readonly server: string;
  readonly tool: string;
}

/** A host function as a tool. `Arguments` is the parsed form of a call's arguments. */
export interface HostTool<Arguments = never> {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** Without it the tool takes no arguments. */
  readonly input?: ToolSchema | undefined;
  /** Without it the result type is learned from answers. */
  readonly output?: ToolSchema | undefined;
  /** As in MCP: `readOnlyHint` and `idempotentHint` decide what a resumed run may repeat. */
  readonly annotations?: ToolAnnotations | undefined;
  /** @default the setting `timeouts.callTimeoutMs` */
  readonly timeoutMs?: number | undefined;
  /** Returns a JSON value, or `toolResult`. A thrown error is the tool's error; programs see its message. */
  readonly run: (this: void, given: Arguments, context: ToolContext) => unknown;
}

/** Server name, as in programs and configurations → tool name → tool. */
export type HostTools = Readonly<Record<string, Readonly<Record<string, HostTool>>>>;

const resultMark: unique symbol = Symbol.for("mcp-coordinator.toolResult");

/** A whole MCP result, distinguished from a value that looks like one. */
export interface HostToolResult extends ToolResult {
  readonly [resultMark]: true;
}

/** Lets a function return MCP content, such as an image, instead of a JSON value. */
export const toolResult = (result: ToolResult): HostToolResult => ({ ...result, [resultMark]: true });

export const isToolResult = (value: unknown): value is HostToolResult =>
  typeof value === "object" && value !== null && resultMark in value;

/** A function that is ready to be called: its schemas are parsed. */
export interface HostFunction {
  readonly timeoutMs?: number | undefined;
  /** Throws ARGUMENTS_INVALID. */
  readonly validate: (given: unknown) => Promise<unknown>;
  readonly run: (given: unknown, context: ToolContext) => unknown;
  /** Throws if an answer is invalid. */
  readonly validateAnswer?: ((answer: unknown) => Promise<unknown>) | undefined;
}

/** A server in this process: functions only, no connection. */
export interface InProcessTarget {
  readonly kind: "in-process";
  readonly listing: Listing;
  /** Tool name → its function. */
  readonly functions: ReadonlyMap<string, HostFunction>;
}
