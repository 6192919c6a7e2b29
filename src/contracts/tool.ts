// Tools: a server's raw listing, and the catalog records made from it.
import type { JsonSchema } from "./json.js";
import type { LargeResult } from "./large-result.js";

/** A tool as its server lists it. All text in it is untrusted. */
export interface ListedTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema | undefined;
  readonly annotations?: ToolAnnotations | undefined;
  /** Why its schemas were rejected. Its arguments are then not checked. */
  readonly unchecked?: UncheckedReason | undefined;
}

/** A schema has too many parts, levels or characters, or all schemas of the server together have. */
export type UncheckedReason = "parts" | "depth" | "length" | "listing";

/** A server's claims about a tool. They relax nothing on their own. */
export interface ToolAnnotations {
  readonly title?: string | undefined;
  readonly readOnlyHint?: boolean | undefined;
  readonly destructiveHint?: boolean | undefined;
  readonly idempotentHint?: boolean | undefined;
  readonly openWorldHint?: boolean | undefined;
}

export interface ListedResource {
  readonly uri: string;
  readonly name: string;
  readonly description?: string | undefined;
  readonly mimeType?: string | undefined;
}

export interface ListedPrompt {
  readonly name: string;
  readonly description?: string | undefined;
  readonly arguments?:
    | readonly {
        readonly name: string;
        readonly description?: string | undefined;
        readonly required?: boolean | undefined;
      }[]
    | undefined;
}

/** Everything a server listed at one time. */
export interface Listing {
  readonly server: string;
  readonly serverVersion?: string | undefined;
  readonly instructions?: string | undefined;
  readonly tools: readonly ListedTool[];
  readonly resources: readonly ListedResource[];
  readonly resourceTemplates: readonly {
    readonly uriTemplate: string;
    readonly name: string;
    readonly description?: string | undefined;
  }[];
  readonly prompts: readonly ListedPrompt[];
  /** What was left out, in our words. */
  readonly warnings?: readonly string[] | undefined;
}

/** One upstream operation under its safe names. */
export interface Tool {
  /** The server's configured name. */
  readonly server: string;
  /** The name on the wire. */
  readonly name: string;
  /** camelCase name in TypeScript, unique within its server. */
  readonly functionName: string;
  readonly title?: string | undefined;
  /** The server's words. If a schema was rejected, a note in our words comes first. */
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema | undefined;
  readonly unchecked?: UncheckedReason | undefined;
  /** If the server declares no output: the shape of its answers so far. A hint, never a promise. */
  readonly learned?: LearnedResult | undefined;
  readonly isReadOnly: boolean;
  /** For rules: a tool that declares nothing counts as destructive. */
  readonly isDestructive: boolean;
  /** What the server itself declares; undefined if it declares nothing. */
  readonly effect?: DeclaredEffect | undefined;
  /** Set if calling it twice does no more than calling it once. */
  readonly isIdempotent?: true | undefined;
  /** Computed on first read. Changes whenever anything the server says about the tool changes. */
  readonly fingerprint: string;
}

/** What a server declares about the effect of a tool. `writes`: it changes something, but is not declared destructive. */
export type DeclaredEffect = "read-only" | "writes" | "destructive";

/** A result type learned from answers. */
export interface LearnedResult {
  readonly schema: JsonSchema;
  /** The number of answers it is based on. */
  readonly answers: number;
}

/** The tools of one server, ready to be named and called. */
export interface ServerCatalog {
  readonly server: string;
  /** The server's name as an identifier: the global object and folder in programs. */
  readonly identifier: string;
  readonly instructions?: string | undefined;
  readonly tools: readonly Tool[];
  /** Finds a tool by its name on the wire or its function name. */
  readonly find: (name: string) => Tool | undefined;
}

/** The whole result of a tool call, as in MCP. Untrusted. */
export interface ToolResult {
  readonly content?: readonly ContentBlock[] | undefined;
  readonly structuredContent?: unknown;
  readonly isError?: boolean | undefined;
  readonly _meta?: unknown;
  /** A large result has only this and `isError`. */
  readonly large?: LargeResult | undefined;
}

export interface ContentBlock {
  readonly type: string;
  readonly text?: string | undefined;
  readonly [field: string]: unknown;
}
