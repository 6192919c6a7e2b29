// The library API: one method per verb. Every surface calls these and nothing else.
import type {
  CatalogOutline,
  CoordinatorStatistics,
  FetchProgress,
  FileFacts,
  HostTools,
  HttpSettings,
  Json,
  Language,
  OutputMode,
  RunMeter,
  RunRequest,
  RunResult,
  SessionFacts,
  ShownOutput,
  StatisticsRequest,
  StoredEntry,
  TrustRecord,
  UntrustedItem,
  WorkspaceSummary,
} from "../contracts/index.js";
import type { AuditVerbs } from "./audit/audit-verbs.js";
import type { CallerVerbs } from "./callers/callers.js";
import type { CheckCodeRequest, CheckCodeResult } from "./checks/check-code.js";
import type { DirectSession, OpenDirectRequest } from "./direct/direct-request.js";
import type { StayCurrentOptions } from "./host/stay-current.js";
import type { LibraryVerbs } from "./library/library-verbs.js";
import type { ModelVerbs } from "./models/open-model.js";
import type { PolicyVerbs } from "./policies/explain-call.js";
import type { DurableVerbs } from "./runs/durable-verbs.js";
import type { NoteSearchRequest } from "./runs/read-statistics.js";
import type { CallRequest } from "./servers/call-tool.js";
import type { DiagnoseRequest, Diagnosis } from "./servers/diagnose.js";
import type { FetchedServer, FetchServersRequest, RepairedServer } from "./servers/fetch-servers.js";
import type {
  AddedServer,
  AddServerRequest,
  FindServersRequest,
  OfferedServer,
} from "./servers/find-servers.js";
import type { ServerContents, ServerSummary } from "./servers/list-servers.js";
import type { ToolDescription, ToolSummary } from "./servers/list-tools.js";
import type { OutlineRequest } from "./servers/outline-catalog.js";
import type { PinVerbs } from "./servers/pinned-tools.js";
import type { SearchRequest, SearchResult } from "./servers/search-tools.js";
import type { ExportedShapes, ExportShapesRequest, ImportShapesRequest } from "./servers/share-shapes.js";
import type { Account, Accounts, LoginRequest, LogoutRequest } from "./servers/sign-in.js";
import type { SetUpRequest, SetUpResult } from "./setup/set-up-sandbox.js";
import type { AcceptSkillRequest, ReviewedSkill } from "./skills/accept-skill.js";
import type { SkillName } from "./skills/find-skill.js";
import type {
  ListSkillsRequest,
  SearchSkillsRequest,
  SkillDescription,
  SkillFile,
  SkillSummary,
} from "./skills/list-skills.js";
import type { RunSkillRequest, SkillTest, TestSkillRequest, UpdateSkillRequest } from "./skills/run-skill.js";
import type { SaveSkillRequest } from "./skills/write-skill.js";
import type {
  ListWorkspaceFilesRequest,
  ReadWorkspaceFileRequest,
  RemoveInactiveWorkspacesRequest,
  RemoveWorkspaceRequest,
} from "./workspaces/list-workspaces.js";

/** The caller's name if none has been added. */
export const firstCaller = "default";

export interface StoredValueRequest {
  readonly id: string;
  /** The workspace of the value. @default the setting `workspace` */
  readonly workspace?: string | undefined;
}

export interface StoredValue extends StoredEntry {
  readonly content: Uint8Array;
}

export interface ShowAnswerRequest {
  readonly value: Json;
  /** @default the setting `output` */
  readonly output?: OutputMode | undefined;
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
  /** Where the library finds its configuration in a project of your own. @default this process's working folder, with the usual places */
  readonly place?: GeneratePlace | undefined;
}

export interface GeneratePlace {
  /** @default process.cwd() */
  readonly folder?: string | undefined;
  /** Files to name instead of the usual places. */
  readonly config?: readonly string[] | undefined;
  /** Use the folder's `mcp-coordinator.json` and the person's own configuration only. */
  readonly isProject?: boolean | undefined;
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

/** Settings of the tools that agents see. */
export interface SurfaceSettings {
  readonly kind: "default" | "minimal";
  readonly serves: "code" | "direct" | "both";
  /** For the catalog in the descriptions: the names of the servers and signatures. */
  readonly tokens: number;
  readonly hasCallTool: boolean;
  readonly hasRunPython: boolean;
  readonly hasAddServers: boolean;
  /** The global `memory` is ours, because no server has that name. */
  readonly hasMemory: boolean;
  /** Where people may approve calls. */
  readonly approvals: "anywhere" | "outside";
  /** How a returned value is rendered for a model. */
  readonly output: OutputMode;
  /** How long a client waits for a run before it gets the run's id. */
  readonly answerWithinMs: number;
}

export interface SkillVerbs {
  /** Saves a program as a skill, or as the next version of the skill with this name. */
  readonly saveSkill: (request: SaveSkillRequest) => Promise<SkillDescription>;
  /** Saves the next version of a skill with the given changes. */
  readonly updateSkill: (request: UpdateSkillRequest) => Promise<SkillDescription>;
  /** Lists the skills, most used first. */
  readonly listSkills: (request?: ListSkillsRequest) => Promise<readonly SkillSummary[]>;
  /** Searches the skills. */
  readonly searchSkills: (request: SearchSkillsRequest) => Promise<readonly SkillSummary[]>;
  /** Shows one skill in full: its code, parameters, state and an example. */
  readonly showSkill: (request: SkillName) => Promise<SkillDescription>;
  /** Runs a skill by name. A failing skill is a result. An unknown name, invalid parameters and a broken skill throw. */
  readonly runSkill: (request: RunSkillRequest) => Promise<RunResult>;
  /** Tests a skill against its recording, or against simulated servers if it has none. */
  readonly testSkill: (request: TestSkillRequest) => Promise<SkillTest>;
  /** Shows a skill with every program file beside it, for a person who decides whether to accept it. */
  readonly reviewSkill: (request: SkillName) => Promise<ReviewedSkill>;
  /** Signs a skill exactly as it was reviewed. Never let a model decide this. */
  readonly acceptSkill: (request: AcceptSkillRequest) => Promise<void>;
  /** Deletes one version of a skill, or all. Returns false if there is none. */
  readonly deleteSkill: (request: SkillName) => Promise<boolean>;
  /** Reads the files of a skill in the SKILL.md format. */
  readonly readSkillFiles: (request: Omit<SkillName, "version">) => Promise<readonly SkillFile[]>;
}

export interface WorkspaceVerbs {
  /** Lists the stored workspaces, sorted by name. */
  readonly listWorkspaces: () => Promise<readonly WorkspaceSummary[]>;
  /** Removes a workspace with its files, memory, sessions and runs. Returns false if it does not exist. */
  readonly removeWorkspace: (request: RemoveWorkspaceRequest) => Promise<boolean>;
  /** Removes workspaces that have not been used for a number of days. Returns their names. */
  readonly removeInactiveWorkspaces: (request: RemoveInactiveWorkspacesRequest) => Promise<readonly string[]>;
  /** Lists the files and folders of a workspace, sorted by path. A missing workspace has none. */
  readonly listWorkspaceFiles: (request?: ListWorkspaceFilesRequest) => Promise<readonly FileFacts[]>;
  /** Reads the bytes of a file. */
  readonly readWorkspaceFile: (request: ReadWorkspaceFileRequest) => Promise<Uint8Array>;
}

/** A set of MCP servers as code. `openCoordinator` returns one. */
export interface Coordinator
  extends LibraryVerbs,
    SkillVerbs,
    WorkspaceVerbs,
    DurableVerbs,
    CallerVerbs,
    ModelVerbs,
    PolicyVerbs,
    AuditVerbs,
    PinVerbs {
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
  /** Opens all servers as one MCP server for one client: requests are passed on and answered unchanged. */
  readonly openDirect: (request: OpenDirectRequest) => Promise<DirectSession>;
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
  /** Exports the result types that were learned, to share them. Starts nothing. */
  readonly exportShapes: (request?: ExportShapesRequest) => Promise<ExportedShapes>;
  /** Adds result types that others have learned. */
  readonly importShapes: (request: ImportShapesRequest) => Promise<{ readonly tools: number }>;
  /** Outlines the catalog: the servers, and as many signatures as fit. Starts no server, unless `waitMs` allows it to list servers for the first time. The text changes only with the tools. */
  readonly outlineCatalog: (request: OutlineRequest) => Promise<CatalogOutline>;
  /** Installs missing packages of servers ahead of their first start. With `isRefreshed`, looks for newer versions. */
  readonly fetchServers: (request?: FetchServersRequest) => Promise<readonly FetchedServer[]>;
  /** Removes the installed package of a server. Its next start installs it again. */
  readonly repairServer: (request: { readonly server: string }) => Promise<RepairedServer>;
  /** Signs in to a remote server that requires it. */
  readonly login: (request: LoginRequest) => Promise<Account>;
  /** Removes a sign-in; false if there is none. */
  readonly logout: (request: LogoutRequest) => Promise<boolean>;
  /** Lists the sign-ins to the configured servers, without tokens. */
  readonly listAccounts: () => Promise<Accounts>;
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
  readonly listStoredValues: (request?: {
    readonly workspace?: string | undefined;
  }) => Promise<readonly StoredEntry[]>;
  /** Reads one stored value with its content. */
  readonly readStoredValue: (request: StoredValueRequest) => Promise<StoredValue>;
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
