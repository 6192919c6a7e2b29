// The library's face: one method a verb; every surface calls these and nothing else.
import type {
  CatalogOutline,
  CoordinatorError,
  CoordinatorStatistics,
  EffectManifest,
  FetchProgress,
  HostTools,
  HttpSettings,
  Json,
  JsonObject,
  JsonSchema,
  KeptEntry,
  Language,
  LaunchSummary,
  LearnedResult,
  ListedPrompt,
  ListedResource,
  OutputMode,
  PeopleAnswer,
  ProgramDiagnostic,
  RunMeter,
  RunQuestion,
  RunRequest,
  RunResult,
  SessionFacts,
  ShownOutput,
  StatisticsRequest,
  TrustRecord,
  UntrustedItem,
} from "../contracts/index.js";
import type { CallerVerbs } from "./callers/caller-verbs.js";
import type { StayCurrentOptions } from "./host/stay-current.js";
import type { LibraryVerbs } from "./library/library-verbs.js";
import type { DurableVerbs } from "./runs/durable-verbs.js";
import type { NoteSearchRequest } from "./runs/note-search.js";
import type { DiagnoseRequest, Diagnosis } from "./servers/diagnosis.js";
import type { FetchedServer, FetchServersRequest, RepairedServer } from "./servers/fetch-servers.js";
import type {
  AddedServer,
  AddServerRequest,
  FindServersRequest,
  OfferedServer,
} from "./servers/offered-server.js";
import type { SearchRequest, SearchResult } from "./servers/search-result.js";
import type { SkillVerbs } from "./skills/skill-verbs.js";
import type { OutlineRequest, SurfaceSettings } from "./surface-settings.js";
import type { WorkspaceVerbs } from "./workspaces/workspace-verbs.js";

export interface ServerSummary {
  readonly name: string;
  /** Its name as an identifier in programs. */
  readonly identifier: string;
  readonly description?: string | undefined;
  readonly transport: "stdio" | "http" | "sse" | "in-process";
  /** The command line or address, without secrets. */
  readonly target: string;
  readonly cwd?: string | undefined;
  readonly source: string;
  readonly status: "ready" | "cached" | "installing" | "unknown" | "disabled" | "failed";
  readonly toolCount?: number | undefined;
  readonly resourceCount?: number | undefined;
  readonly promptCount?: number | undefined;
  readonly processId?: number | undefined;
  readonly protocol?: "legacy" | "modern" | undefined;
  /** How it is really started, where a package runner starts it. */
  readonly launch?: LaunchSummary | undefined;
  /** What of its listing could not be taken over. */
  readonly warnings?: readonly string[] | undefined;
  readonly error?: CoordinatorError | undefined;
}

export interface ToolSummary {
  readonly server: string;
  readonly name: string;
  readonly functionName: string;
  readonly description: string;
  readonly isReadOnly: boolean;
}

export interface ToolDescription extends ToolSummary {
  readonly identifier: string;
  readonly title?: string | undefined;
  readonly isDestructive: boolean;
  /** One line: how it is called in TypeScript. */
  readonly signature: string;
  /** The full TypeScript declaration with comments. */
  readonly declaration: string;
  /** The import line. */
  readonly importLine: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema | undefined;
  /** A result type that real answers suggest, where none is declared. */
  readonly learned?: LearnedResult | undefined;
  readonly fingerprint: string;
}

export interface ServerContents {
  readonly server: string;
  readonly instructions?: string | undefined;
  readonly tools: readonly ToolSummary[];
  readonly resources: readonly ListedResource[];
  readonly prompts: readonly ListedPrompt[];
}

export interface CallRequest {
  readonly server: string;
  readonly tool: string;
  readonly arguments?: JsonObject | undefined;
  /** The whole MCP result instead of its content. */
  readonly isRaw?: boolean | undefined;
  /** A person has said that it may be made, where the settings want that. @default false */
  readonly isApproved?: boolean | undefined;
  /** Asks a person, where the settings want that. */
  readonly onQuestion?: ((question: RunQuestion) => Promise<PeopleAnswer | undefined>) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface KeptRequest {
  readonly id: string;
  /** Whose value. @default the setting `workspace` */
  readonly workspace?: string | undefined;
}

export interface KeptValue extends KeptEntry {
  readonly content: Uint8Array;
}

export interface ShowAnswerRequest {
  readonly value: Json;
  /** @default the setting `output` */
  readonly output?: OutputMode | undefined;
}

export interface CheckCodeRequest
  extends Pick<RunRequest, "code" | "language" | "session" | "workspace" | "servers" | "profile" | "signal"> {
  /** How long servers are waited for whose tools are not known. @default until each has answered or failed */
  readonly waitMs?: number | undefined;
}

export interface CheckCodeResult {
  /** No error: it would be run. */
  readonly isValid: boolean;
  readonly diagnostics: readonly ProgramDiagnostic[];
  /** The tools the program can call. */
  readonly manifest: EffectManifest;
  /** Servers that it names and whose tools are not known: their calls were not checked. */
  readonly unlisted?: readonly string[] | undefined;
}

export interface GenerateRequest {
  /** The folder that the tree is written into. */
  readonly folder: string;
  readonly language?: Language | undefined;
  /** Only these servers. */
  readonly servers?: readonly string[] | undefined;
  /** Ask the servers even when their tools are known. */
  readonly refresh?: boolean | undefined;
  /** Write every generated file, also one that would not change. Yours are left alone. */
  readonly isForced?: boolean | undefined;
}

export interface GenerateResult {
  readonly folder: string;
  readonly servers: number;
  readonly tools: number;
  readonly written: number;
  readonly unchanged: number;
  readonly removed: number;
  /** Hand-written files under a generated name: left as they are. */
  readonly kept: readonly string[];
  /** Places where a schema says too little for a type, each with the reason. */
  readonly fallbacks: readonly { readonly tool: string; readonly path: string; readonly reason: string }[];
  readonly unavailable: readonly { readonly server: string; readonly reason: string }[];
}

export interface SetUpRequest {
  readonly sandbox: "python" | "container";
  /** Lines of what is under way. */
  readonly onStep?: ((line: string) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface SetUpResult {
  /** The interpreter or the image. */
  readonly made: string;
  /** What the test run found inside, with versions. */
  readonly holds: readonly string[];
  /** What is left to do. */
  readonly notes?: readonly string[] | undefined;
}

/** A set of MCP servers as code. Made by `openCoordinator`. */
export interface Coordinator extends LibraryVerbs, SkillVerbs, WorkspaceVerbs, DurableVerbs, CallerVerbs {
  /** The servers that are switched on. */
  readonly serverNames: readonly string[];
  readonly surface: SurfaceSettings;
  readonly http: HttpSettings;
  /** The workspace of runs that name none. */
  readonly workspace: string;
  /** Runs a program in the sandbox. A program's failure is a result, not an exception. */
  readonly runCode: (request: RunRequest) => Promise<RunResult>;
  /** Says what is wrong with a program, and which tools it can call. Nothing is run. */
  readonly checkCode: (request: CheckCodeRequest) => Promise<CheckCodeResult>;
  /** Calls one tool without a program and unwraps its result. */
  readonly callTool: (request: CallRequest) => Promise<Json>;
  /** What a model reads of an answer, within its budget: the rest is kept, and told how to read. */
  readonly showAnswer: (request: ShowAnswerRequest) => Promise<ShownOutput>;
  /** The configured servers. Starts none unless `connect` asks for it. */
  readonly listServers: (
    options?: { readonly connect?: boolean | undefined } | undefined,
  ) => Promise<readonly ServerSummary[]>;
  /** What one server, or every server, offers. Unreachable servers are left out when none is named. */
  readonly listTools: (options?: {
    readonly server?: string | undefined;
    readonly refresh?: boolean | undefined;
    /** How long servers are waited for whose tools are not known. @default until each has answered or failed */
    readonly waitMs?: number | undefined;
  }) => Promise<readonly ToolSummary[]>;
  /** Tools, resources and prompts of one server. */
  readonly showServer: (options: { readonly server: string }) => Promise<ServerContents>;
  /** One tool in full. */
  readonly showTool: (options: {
    readonly server: string;
    readonly tool: string;
  }) => Promise<ToolDescription>;
  /** Finds tools by words, over every configured server. */
  readonly searchTools: (request: SearchRequest) => Promise<SearchResult>;
  /** The catalog in a few lines: servers, and as many signatures as fit. Starts nothing; the same until the tools change. */
  readonly outlineCatalog: (request: OutlineRequest) => Promise<CatalogOutline>;
  /** Installs the packages of servers that are not there yet, ahead of their first start; with `isRefreshed` looks for newer versions. */
  readonly fetchServers: (request?: FetchServersRequest) => Promise<readonly FetchedServer[]>;
  /** Removes what was installed of a server's package, so that its next start installs it anew. */
  readonly repairServer: (request: { readonly server: string }) => Promise<RepairedServer>;
  /** Called while packages are installed. Returns a function that ends it. */
  readonly onFetchProgress: (listener: (progress: FetchProgress) => void) => () => void;
  /** Finds servers by words on the configured list of those that may be added. */
  readonly findServers: (request?: FindServersRequest) => Promise<readonly OfferedServer[]>;
  /** Starts a server of that list and makes it usable, in this process. */
  readonly addServer: (request: AddServerRequest) => Promise<AddedServer>;
  /** Registers functions of this process as tools, `{ server: { tool: … } }`; `openCoordinator` takes the same. */
  readonly addTools: (tools: HostTools) => Promise<void>;
  /** Starts every server, tries every sandbox, and tells what is wrong. */
  readonly diagnose: (request?: DiagnoseRequest) => Promise<Diagnosis>;
  /** Writes the servers as an importable library that people and agents can read. */
  readonly generateLibrary: (request: GenerateRequest) => Promise<GenerateResult>;
  /** Makes what a sandbox needs and cannot bring along. */
  readonly setUpSandbox: (request: SetUpRequest) => Promise<SetUpResult>;
  /** The values that programs kept, the newest first. */
  readonly listKept: (request?: { readonly workspace?: string | undefined }) => Promise<readonly KeptEntry[]>;
  /** One of them with its content. */
  readonly readKept: (request: KeptRequest) => Promise<KeptValue>;
  /** The sessions whose variables are in memory. */
  readonly listSessions: () => Promise<readonly SessionFacts[]>;
  /** Forgets a session's state; false when there was none. */
  readonly resetSession: (request: {
    readonly session: string;
    /** Whose session. @default the setting `workspace` */
    readonly workspace?: string | undefined;
  }) => Promise<boolean>;
  /** Tokens of a text as the o200k tokenizer counts them. */
  readonly countTokens: (text: string) => Promise<number>;
  /** The meter of one of this coordinator's last runs, once it is counted. */
  readonly readMeter: (request: { readonly runId: string }) => Promise<RunMeter | undefined>;
  /** Counts what a search cost the model, as the surface that it came by shows it. */
  readonly noteSearch: (request: NoteSearchRequest) => Promise<void>;
  /** What there is at the moment, and what runs added up to. Starts no server. */
  readonly readStatistics: (request?: StatisticsRequest) => Promise<CoordinatorStatistics>;
  /** What a person should know of the configuration, e.g. entries that were skipped. */
  readonly warnings: readonly string[];
  /** Rules for approval that match no tool, as far as tools are known. Starts no server. */
  readonly checkApprovals: () => Promise<readonly string[]>;
  /** What is not used before a person has trusted it. */
  readonly untrusted: readonly UntrustedItem[];
  /** What is used without a record of trust, because the option `trust` or `config` said so when it was opened. */
  readonly trusted: readonly TrustRecord[];
  /** A command line for this configuration, e.g. of `["resume", runId]`: it works when a person pastes it. */
  readonly toCommand: (words: readonly string[], workspace?: string | undefined) => string;
  readonly languages: readonly Language[];
  /** Called when what is known of a server's tools has changed, e.g. when it is listed for the first time. Returns a function that ends it. */
  readonly onToolsChanged: (listener: (server: string) => void) => () => void;
  /** Starts ahead what the first program needs: the sandbox, then what runs programs, then the compiler for programs that were never seen. Never a server. */
  readonly warm: (part?: "sandbox" | "run" | "all") => Promise<void>;
  /** For a process that runs for long: follows the configuration files, and asks servers in the background what they offer. Returns a function that ends it. */
  readonly stayCurrent: (options?: StayCurrentOptions) => Promise<() => void>;
  /** Ends servers and sandboxes, and waits for what is still to be written. */
  readonly close: () => Promise<void>;
}
