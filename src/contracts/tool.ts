// Tools: a server's raw listing, the catalog records made from it, results, and the shapes learned from them.
import type { JsonSchema } from "./json.js";
import type { LargeResult } from "./large-result.js";
import type { RuleName } from "./policy.js";
import type { InputRequired } from "./questions.js";

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
  readonly others?: OtherFields | undefined;
}

/** Fields of a listed item that we do not use ourselves, as the server wrote them. Clients of the direct surface get them. */
export type OtherFields = Readonly<Record<string, unknown>>;

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
  readonly others?: OtherFields | undefined;
}

export interface ListedPrompt {
  readonly name: string;
  readonly description?: string | undefined;
  readonly arguments?:
    | readonly {
        readonly name: string;
        readonly title?: string | undefined;
        readonly description?: string | undefined;
        readonly required?: boolean | undefined;
      }[]
    | undefined;
  readonly others?: OtherFields | undefined;
}

export interface ListedTemplate {
  readonly uriTemplate: string;
  readonly name: string;
  readonly description?: string | undefined;
  readonly others?: OtherFields | undefined;
}

/** Everything a server listed at one time. */
export interface Listing {
  readonly server: string;
  readonly serverVersion?: string | undefined;
  readonly instructions?: string | undefined;
  readonly tools: readonly ListedTool[];
  readonly resources: readonly ListedResource[];
  readonly resourceTemplates: readonly ListedTemplate[];
  readonly prompts: readonly ListedPrompt[];
  /** It reports changes of resources. */
  readonly canWatch?: boolean | undefined;
  /** What was left out, in our words. */
  readonly warnings?: readonly string[] | undefined;
  /** Tools that nobody has accepted yet. They are known by name only, and never shown or called. */
  readonly withheld?: readonly { readonly tool: ListedTool; readonly change: PinChange }[] | undefined;
}

/** How a definition differs from what a person accepted. */
export type PinChange = "new" | "changed";

/** What a server offers beside its tools, called like one. */
export type OfferedMethod =
  | "resources/read"
  | "resources/list"
  | "resources/templates/list"
  /** Not a method of the protocol: it subscribes and waits. */
  | "resources/watch"
  | "prompts/get"
  | "completion/complete";

/** One upstream operation under its safe names. */
export interface Tool {
  /** The server's configured name. */
  readonly server: string;
  /** The name on the wire. */
  readonly name: string;
  /** Set if it is not one of the server's tools: the protocol's method that is called instead. */
  readonly method?: OfferedMethod | undefined;
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
  /** Reaches beyond the server's own data. A tool that declares nothing does. */
  readonly isExternal?: boolean | undefined;
  /** The rule of the policy that denies every call of it. */
  readonly denied?: RuleName | undefined;
  /** Set if nobody has accepted its definition: it is not shown or called. */
  readonly withheld?: PinChange | undefined;
  /** What the server itself declares; undefined if it declares nothing. */
  readonly effect?: DeclaredEffect | undefined;
  /** Set if calling it twice does no more than calling it once. */
  readonly isIdempotent?: true | undefined;
  /** Computed on first read. Changes whenever anything the server says about the tool changes. */
  readonly fingerprint: string;
}

/** How many tools a server has, without what it offers beside them. */
export const countOwnTools = ({ tools }: Pick<ServerCatalog, "tools">): number =>
  tools.filter(({ method }) => method === undefined).length;

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
  /** Tools that the policy denies. They are found by name, but never shown. */
  readonly hidden?: readonly Tool[] | undefined;
  /** Finds a tool by its name on the wire or its function name. */
  readonly find: (name: string) => Tool | undefined;
}

/** The whole result of a tool call, as in MCP. Untrusted. */
export interface ToolResult {
  readonly content?: readonly ContentBlock[] | undefined;
  readonly structuredContent?: unknown;
  readonly isError?: boolean | undefined;
  readonly _meta?: unknown;
  /** How long a resource or a list of a server of the 2026 protocol stays valid. */
  readonly ttlMs?: number | undefined;
  /** A large result has only this and `isError`. */
  readonly large?: LargeResult | undefined;
  /** The call is not finished. Such a result has only this. */
  readonly input?: InputRequired | undefined;
}

/** One part of a tool's result as MCP defines it: text, an image, a resource. */
export interface ContentBlock {
  readonly type: string;
  readonly text?: string | undefined;
  readonly [field: string]: unknown;
}

export type ShapeScalar = "null" | "boolean" | "integer" | "number" | "string";

export interface ShapeField {
  readonly type: ShapeNode;
  /** Missing in an object that was seen in full. */
  readonly isOptional?: true | undefined;
}

/** All kinds of values seen at one position. It contains no value, only kinds. */
export interface ShapeNode {
  readonly scalars?: readonly ShapeScalar[] | undefined;
  /** An object whose keys are names. */
  readonly fields?: Readonly<Record<string, ShapeField>> | undefined;
  /** The object was never seen in full, so it may have other fields. */
  readonly isOpen?: true | undefined;
  /** An object whose keys are data: the shape of its values. */
  readonly values?: ShapeNode | undefined;
  /** A list: the shape of its items. Empty if only empty lists were seen. */
  readonly items?: ShapeNode | undefined;
  /** Too deep or too large to store. */
  readonly isUnknown?: true | undefined;
}

/** A result type learned from real answers. */
export interface Shape {
  /** The number of answers it is based on. */
  readonly answers: number;
  readonly type: ShapeNode;
}

/** The tool of a shape. A different fingerprint is a different tool. */
export interface ShapeKey {
  readonly server: string;
  readonly tool: string;
  readonly fingerprint: string;
}

/** A shape with its tool, as people exchange it. */
export interface SharedShape extends ShapeKey, Shape {}

/** Shapes by tool. A shape that cannot be read is absent; one that cannot be written is lost, and learned again. */
export interface ShapeStore {
  readonly read: (key: ShapeKey) => Promise<Shape | undefined>;
  /** The shapes of a server's tools, including those that it no longer lists. */
  readonly list: (server: string) => Promise<readonly SharedShape[]>;
  /** Adds what this process learned since its last write to the stored shape, and returns the sum. */
  readonly merge: (key: ShapeKey, learned: Shape) => Promise<Shape>;
}
