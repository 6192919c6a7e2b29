// Tools that are host functions, registered in code by the embedding program.
import type { Listing, ToolAnnotations, ToolResult } from "./tool.js";

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
  /** Reports progress: a line for whoever follows the run. */
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
  /** By the tool's name. */
  readonly functions: ReadonlyMap<string, HostFunction>;
}
