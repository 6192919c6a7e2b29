// The library API: one method per verb. Every surface calls these and nothing else.
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
import type { NoteSearchRequest } from "./runs/read-statistics.js";
import type { AddedServer, AddServerRequest } from "./servers/add-server.js";
import type { DiagnoseRequest, Diagnosis } from "./servers/diagnosis.js";
import type { FetchedServer, FetchServersRequest, RepairedServer } from "./servers/fetch-servers.js";
import type { FindServersRequest, OfferedServer } from "./servers/find-servers.js";
import type { SearchRequest, SearchResult } from "./servers/search-tools.js";
import type { SkillVerbs } from "./skills/skill-verbs.js";
import type { OutlineRequest, SurfaceSettings } from "./surface-settings.js";
import type { WorkspaceVerbs } from "./workspaces/list-workspaces.js";

export interface ServerSummary {
  readonly name: string;
  /** The server's identifier in programs. */
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
  /** The command that a package runner resolves to. */
  readonly launch?: LaunchSummary | undefined;
  /** Problems in the server's listing. */
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
  /** The TypeScript signature in one line. */
  readonly signature: string;
  /** The full TypeScript declaration with comments. */
  readonly declaration: string;
  /** The import line. */
  readonly importLine: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema | undefined;
  /** The result type learned from answers, if the tool declares none. */
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
  /** Return the whole MCP result instead of its content. */
  readonly isRaw?: boolean | undefined;
  /** A person has approved the call, if the settings require it. @default false */
  readonly isApproved?: boolean | undefined;
  /** Asks a person, if the settings require approval. */
  readonly onQuestion?: ((question: RunQuestion) => Promise<PeopleAnswer | undefined>) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface KeptRequest {
  readonly id: string;
  /** The workspace of the value. @default the setting `workspace` */
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
  /** How long to wait for servers whose tools are not known. @default until each has answered or failed */
  readonly waitMs?: number | undefined;
}

export interface CheckCodeResult {
  /** True if there is no error. */
  readonly isValid: boolean;
  readonly diagnostics: readonly ProgramDiagnostic[];
  /** The tools that the program can call. */
  readonly manifest: EffectManifest;
  /** Servers in the program whose tools are not known. Calls to them were not checked. */
  readonly unlisted?: readonly string[] | undefined;
}

export interface GenerateRequest {
  /** The folder to write the tree into. */
  readonly folder: string;
  readonly language?: Language | undefined;
  /** Only these servers. */
  readonly servers?: readonly string[] | undefined;
  /** Ask the servers even if their tools are known. */
  readonly refresh?: boolean | undefined;
  /** Write every generated file, changed or not. Hand-written files are left alone. */
  readonly isForced?: boolean | undefined;
}

export interface GenerateResult {
  readonly folder: string;
  readonly servers: number;
  readonly tools: number;
  readonly written: number;
  readonly unchanged: number;
  readonly removed: number;
  /** Hand-written files that have the name of a generated one. They are left as they are. */
  readonly kept: readonly string[];
  /** Places where a schema is too vague for a type, each with the reason. */
  readonly fallbacks: readonly { readonly tool: string; readonly path: string; readonly reason: string }[];
  readonly unavailable: readonly { readonly server: string; readonly reason: string }[];
}

export interface SetUpRequest {
  readonly sandbox: "python" | "container";
  /** Called with lines of progress. */
  readonly onStep?: ((line: string) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface SetUpResult {
  /** The interpreter or image. */
  readonly made: string;
  /** What the self-test found inside, with versions. */
  readonly holds: readonly string[];
  /** The remaining steps. */
  readonly notes?: readonly string[] | undefined;
}

/** A set of MCP servers as code. `openCoordinator` returns one. */
export interface Coordinator extends LibraryVerbs, SkillVerbs, WorkspaceVerbs, DurableVerbs, CallerVerbs {
  /** The enabled servers. */
  readonly serverNames: readonly string[];
  readonly surface: SurfaceSettings;
  readonly http: HttpSettings;
  /** The default workspace of runs. */
  readonly workspace: string;
  /** Runs a program in the sandbox. A failing program is a result, not an exception. */
  readonly runCode: (request: RunRequest) => Promise<RunResult>;
  /** Checks a program and lists the tools that it can call, without running it. */
  readonly checkCode: (request: CheckCodeRequest) => Promise<CheckCodeResult>;
  /** Calls one tool without a program and unwraps its result. */
  readonly callTool: (request: CallRequest) => Promise<Json>;
  /** Renders an answer for a model within its token budget. The rest is stored, with a note on how to read it. */
  readonly showAnswer: (request: ShowAnswerRequest) => Promise<ShownOutput>;
  /** Lists the configured servers. Starts none unless `connect` is set. */
  readonly listServers: (
    options?: { readonly connect?: boolean | undefined } | undefined,
  ) => Promise<readonly ServerSummary[]>;
  /** Lists the tools of one server or of all. Without a name, unreachable servers are left out. */
  readonly listTools: (options?: {
    readonly server?: string | undefined;
    readonly refresh?: boolean | undefined;
    /** How long to wait for servers whose tools are not known. @default until each has answered or failed */
    readonly waitMs?: number | undefined;
  }) => Promise<readonly ToolSummary[]>;
  /** Shows the tools, resources and prompts of one server. */
  readonly showServer: (options: { readonly server: string }) => Promise<ServerContents>;
  /** Shows one tool in full. */
  readonly showTool: (options: {
    readonly server: string;
    readonly tool: string;
  }) => Promise<ToolDescription>;
  /** Searches the tools of every configured server. */
  readonly searchTools: (request: SearchRequest) => Promise<SearchResult>;
  /** Outlines the catalog: the servers, and as many signatures as fit. Starts nothing. The text stays the same until the tools change. */
  readonly outlineCatalog: (request: OutlineRequest) => Promise<CatalogOutline>;
  /** Installs missing packages of servers ahead of their first start. With `isRefreshed`, looks for newer versions. */
  readonly fetchServers: (request?: FetchServersRequest) => Promise<readonly FetchedServer[]>;
  /** Removes the installed package of a server. Its next start installs it again. */
  readonly repairServer: (request: { readonly server: string }) => Promise<RepairedServer>;
  /** Calls a function while packages are installed. Returns a function that ends it. */
  readonly onFetchProgress: (listener: (progress: FetchProgress) => void) => () => void;
  /** Searches the servers that the configuration lets agents add. */
  readonly findServers: (request?: FindServersRequest) => Promise<readonly OfferedServer[]>;
  /** Starts one of these servers and makes it available in this process. */
  readonly addServer: (request: AddServerRequest) => Promise<AddedServer>;
  /** Registers functions of this process as tools, `{ server: { tool: … } }`. `openCoordinator` takes the same. */
  readonly addTools: (tools: HostTools) => Promise<void>;
  /** Starts every server, tests every sandbox and reports problems. */
  readonly diagnose: (request?: DiagnoseRequest) => Promise<Diagnosis>;
  /** Writes the servers as an importable library that people and agents can read. */
  readonly generateLibrary: (request: GenerateRequest) => Promise<GenerateResult>;
  /** Installs what a sandbox needs: a Python environment or a container image. */
  readonly setUpSandbox: (request: SetUpRequest) => Promise<SetUpResult>;
  /** Lists the values that programs stored, newest first. */
  readonly listKept: (request?: { readonly workspace?: string | undefined }) => Promise<readonly KeptEntry[]>;
  /** Reads one stored value with its content. */
  readonly readKept: (request: KeptRequest) => Promise<KeptValue>;
  /** Lists the sessions whose variables are in memory. */
  readonly listSessions: () => Promise<readonly SessionFacts[]>;
  /** Resets a session. Returns false if there is none. */
  readonly resetSession: (request: {
    readonly session: string;
    /** The workspace of the session. @default the setting `workspace` */
    readonly workspace?: string | undefined;
  }) => Promise<boolean>;
  /** Counts the tokens of a text with the o200k tokenizer. */
  readonly countTokens: (text: string) => Promise<number>;
  /** Reads the meter of a recent run of this coordinator, once it is counted. */
  readonly readMeter: (request: { readonly runId: string }) => Promise<RunMeter | undefined>;
  /** Records the tokens that a search cost the model. */
  readonly noteSearch: (request: NoteSearchRequest) => Promise<void>;
  /** Reports current counts and the totals of all runs. Starts no server. */
  readonly readStatistics: (request?: StatisticsRequest) => Promise<CoordinatorStatistics>;
  /** Warnings about the configuration, e.g. skipped entries. */
  readonly warnings: readonly string[];
  /** Lists approval rules that match no known tool. Starts no server. */
  readonly checkApprovals: () => Promise<readonly string[]>;
  /** What is not used until a person trusts it. */
  readonly untrusted: readonly UntrustedItem[];
  /** What is used without a trust record, because the option `trust` or `config` allowed it. */
  readonly trusted: readonly TrustRecord[];
  /** Returns a command line for this configuration, e.g. for `["resume", runId]`, that a person can paste. */
  readonly toCommand: (words: readonly string[], workspace?: string | undefined) => string;
  readonly languages: readonly Language[];
  /** Calls a function when the known tools of a server change, e.g. when it is first listed. Returns a function that ends it. */
  readonly onToolsChanged: (listener: (server: string) => void) => () => void;
  /** Warms up what the first program needs: the sandbox, the parsers, then the compiler. Never starts a server. */
  readonly warm: (part?: "sandbox" | "run" | "all") => Promise<void>;
  /** For long-running processes: watches the configuration files and refreshes tool listings in the background. Returns a function that ends it. */
  readonly stayCurrent: (options?: StayCurrentOptions) => Promise<() => void>;
  /** Closes servers and sandboxes and waits for pending writes. */
  readonly close: () => Promise<void>;
}
