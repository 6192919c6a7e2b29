// Tools that are functions of the host: what the embedding program registers in code, and what a function is given and may answer.
import type { Listing, ToolAnnotations, ToolResult } from "./tool.js";

interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

type StandardOutcome<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** A schema of any library that implements Standard Schema, e.g. zod 4: it validates, and tells itself as JSON Schema. */
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

/** A schema of such a library, or a JSON Schema as it is. */
export type ToolSchema = StandardSchema | { readonly [keyword: string]: unknown };

/** What a function is told besides its arguments. */
export interface ToolContext {
  /** Fires when nobody waits for the answer any more: the run ended, was cancelled, or the time is over. */
  readonly signal: AbortSignal;
  /** Tells how far it is: a line for whoever follows the run. */
  readonly progress: (message: string) => void;
  readonly server: string;
  readonly tool: string;
}

/** A function of the host as a tool. `Arguments` is what its schema makes of a call's arguments. */
export interface HostTool<Arguments = never> {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** Without it the tool takes no arguments. */
  readonly input?: ToolSchema | undefined;
  /** Without it the result type is learned from answers. */
  readonly output?: ToolSchema | undefined;
  /** As MCP has them: `readOnlyHint` and `idempotentHint` decide what a run that goes on may repeat. */
  readonly annotations?: ToolAnnotations | undefined;
  /** @default the setting `timeouts.callTimeoutMs` */
  readonly timeoutMs?: number | undefined;
  /** Answers with a JSON value, or with `toolResult`. What it throws is the tool's error, of which programs see the message. */
  readonly run: (this: void, given: Arguments, context: ToolContext) => unknown;
}

/** Name of a server, as programs and configurations have it → name of a tool → tool. */
export type HostTools = Readonly<Record<string, Readonly<Record<string, HostTool>>>>;

const resultMark: unique symbol = Symbol.for("mcp-coordinator.toolResult");

/** A whole MCP result, told apart from a value that looks like one. */
export interface HostToolResult extends ToolResult {
  readonly [resultMark]: true;
}

/** Lets a function answer with MCP content, such as an image, instead of a JSON value. */
export const toolResult = (result: ToolResult): HostToolResult => ({ ...result, [resultMark]: true });

export const isToolResult = (value: unknown): value is HostToolResult =>
  typeof value === "object" && value !== null && resultMark in value;

/** A function that is ready to be called: its schemas are read. */
export interface HostFunction {
  readonly timeoutMs?: number | undefined;
  /** Throws ARGUMENTS_INVALID. */
  readonly validate: (given: unknown) => Promise<unknown>;
  readonly run: (given: unknown, context: ToolContext) => unknown;
  /** Throws what is wrong with an answer. */
  readonly validateAnswer?: ((answer: unknown) => Promise<unknown>) | undefined;
}

/** A server that is this process itself: no wire, only functions. */
export interface InProcessTarget {
  readonly kind: "in-process";
  readonly listing: Listing;
  /** By the tool's name. */
  readonly functions: ReadonlyMap<string, HostFunction>;
}
