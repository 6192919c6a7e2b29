// The configuration: servers and settings, expanded and validated.
import type { AuditLogSettings, AuditMode } from "./audit.js";
import type { CoordinatorError } from "./errors.js";
import type { LaunchMode, TrustRecord, UntrustedItem } from "./launch.js";
import type { Limits } from "./limits.js";
import type { ModelSettings } from "./model.js";
import type { InProcessTarget } from "./plugin.js";
import type { PolicyDocument } from "./policy.js";
import type { AnswerSettings } from "./questions.js";
import type { OutputMode } from "./run.js";
import type { Retention } from "./store.js";

export interface StdioTarget {
  readonly kind: "stdio";
  readonly command: string;
  readonly args: readonly string[];
  /** Environment variables for the server's process. They may be secrets and never leave the host. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string | undefined;
}

export interface HttpTarget {
  readonly kind: "http" | "sse";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** How to get a token for a server. Without it, a server that asks for a sign-in is signed in to with OAuth. */
export interface ServerAuth {
  /**
   * `oauth`: a person signs in. `client-credentials`, `private-key-jwt`: we are the account. `exchange`: a token of another issuer
   * is exchanged. `none`: never.
   */
  readonly type: "oauth" | "client-credentials" | "private-key-jwt" | "exchange" | "none";
  /** Scopes to request instead of those that the server names. */
  readonly scopes?: readonly string[] | undefined;
  /** The id of a registered client, or the https address of a client metadata document. */
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
  /** The port of 127.0.0.1 that the browser returns to. */
  readonly callbackPort?: number | undefined;
  /** `omit`: do not name the server to its issuer. */
  readonly resource?: "omit" | undefined;
  /** For `private-key-jwt`: the key as PEM. */
  readonly privateKey?: string | undefined;
  /** For `private-key-jwt`: the signature algorithm. */
  readonly algorithm?: string | undefined;
  /** For `exchange`: the token to exchange. */
  readonly subjectToken?: string | undefined;
  /** For `exchange`: our id at that issuer, if it is another one. */
  readonly identityProviderClientId?: string | undefined;
  /** For `exchange`: the issuer of that token, if the server's issuer accepts only its grants (cross-app access). */
  readonly identityProvider?: string | undefined;
}

/** One configured MCP server, or tools registered in code. */
export interface ServerDefinition {
  /** The configured name, which prefixes its tools everywhere; never the name that a server gives itself. */
  readonly name: string;
  readonly target: StdioTarget | HttpTarget | InProcessTarget;
  /** The command line or address as written, with references not expanded, so that it may be shown. */
  readonly written: string;
  readonly description?: string | undefined;
  readonly isEnabled: boolean;
  /** The path of the file that defines it. */
  readonly source: string;
  /** Overrides the timeouts of the settings. */
  readonly timeouts?: Partial<UpstreamTimeouts> | undefined;
  /** Overrides the setting `launch`. */
  readonly launch?: LaunchMode | undefined;
  readonly auth?: ServerAuth | undefined;
  /** Why it cannot be used, for example a missing variable. Other servers are unaffected. */
  readonly problem?: CoordinatorError | undefined;
}

/** A server that is reached over stdio or HTTP. */
export type WiredDefinition = ServerDefinition & { readonly target: StdioTarget | HttpTarget };

export interface UpstreamTimeouts {
  /** Installing a server's package before its first start. */
  readonly fetchTimeoutMs: number;
  /** Starting the process or connection, until the handshake is done. */
  readonly connectTimeoutMs: number;
  /** Listing tools, resources and prompts. */
  readonly listTimeoutMs: number;
  /** One tool call. */
  readonly callTimeoutMs: number;
  /** How long a server's process stays alive after its last call. */
  readonly idleTimeoutMs: number;
  /** How long a server of the 2025 protocol waits for a person's answer, with its call open. */
  readonly askTimeoutMs: number;
}

export type ExecutorName = "isolate" | "wasm" | "python" | "python-lite" | "container";

/** A named set of restrictions for runs. Anything it omits is as in the settings. */
export interface Profile {
  readonly executor?: "auto" | ExecutorName | undefined;
  readonly limits?: Partial<Limits> | undefined;
  /** Only these servers may be called. */
  readonly servers?: readonly string[] | undefined;
  /** Only these packages, from the listed ones, may be imported. */
  readonly packages?: readonly string[] | undefined;
  readonly network?: { readonly allow: readonly string[] } | undefined;
  /** Python modules that programs may not import, in addition to those of the settings. */
  readonly deny?: readonly string[] | undefined;
  /** Calls that need approval, in addition to those of the settings. */
  readonly approve?: readonly string[] | undefined;
}

/** What HTTP callers may do, and their limits. */
export interface HttpSettings {
  /** The environment variable with the token of the first caller. Without it a token is generated. */
  readonly tokenVariable?: string | undefined;
  /** Host names under which callers reach this machine, in addition to its own addresses. */
  readonly hosts: readonly string[];
  /** Offer the servers of `addServers` to callers. */
  readonly mayAddServers: boolean;
  /** Sessions of the 2025 protocol per caller. */
  readonly sessions: number;
  /** How long an unused session lives. */
  readonly sessionIdleMs: number;
  /** Requests in flight at once. */
  readonly requests: number;
  /** Size of one request. */
  readonly requestBytes: number;
  /** How long a request may take to arrive. */
  readonly arrivalMs: number;
}

/** Our own settings: the `coordinator` key. */
export interface Settings {
  /** The sandbox. A name runs every language that sandbox supports; "auto" picks the strongest one that needs no setup. */
  readonly executor: "auto" | ExecutorName;
  /** Run programs without a JIT compiler: slower, with a smaller attack surface. */
  readonly jitless: boolean;
  readonly python: {
    /** An interpreter, or the folder of a virtual environment. */
    readonly interpreter?: string | undefined;
    /** Libraries to import before programs arrive. */
    readonly preload: readonly string[];
    /** Modules that programs may not import. Advisory: the sandbox is what enforces isolation. */
    readonly deny: readonly string[];
    /** Experimental: the type checker for Python programs, if installed next to the interpreter or on PATH. */
    readonly checker: "auto" | "off" | "ty" | "pyright" | "basedpyright" | "mypy";
  };
  readonly container: {
    /** "podman", "docker", or a path to one of them. */
    readonly runtime?: string | undefined;
    /** An image that replaces the one built by `setup container`. */
    readonly image?: string | undefined;
    /** An OCI runtime that replaces the container runtime's default. */
    readonly ociRuntime?: string | undefined;
    /** How long the last container stays alive without a run. */
    readonly idleMs: number;
  };
  /** JavaScript packages that programs may import. */
  readonly packages: readonly string[];
  readonly network: {
    /** Hosts that programs may fetch from, through the coordinator. */
    readonly allow: readonly string[];
  };
  readonly profiles: Readonly<Record<string, Profile>>;
  /** Calls that need approval: "server.tool" with "*" for any part, "writes", "destructive". */
  readonly approve: readonly string[];
  /** Rules on calls: a policy, or the path of a file with one. Read as a document of its own, never merged with others. */
  readonly policy?: unknown;
  /** Record decisions and calls. */
  readonly audit: AuditMode;
  readonly auditLog: AuditLogSettings;
  /** What happens to definitions of tools that nobody has accepted. */
  readonly pins: "off" | "warn" | "ask" | "strict";
  /** The file with the accepted definitions, and by tool the fields that may change. */
  readonly pinsFile: string;
  readonly pinsIgnore: Readonly<Record<string, readonly string[]>>;
  /** How often servers may be called. */
  readonly flow: FlowSettings;
  /** How long answers of reads are cached: `server.tool` with `*` → a time such as `60s`. */
  readonly cache: Readonly<Record<string, string>>;
  /** Where people may approve calls: also in a form of the MCP client, or only outside it. */
  readonly approvals: "anywhere" | "outside";
  /** What servers get when they ask back. */
  readonly answers: AnswerSettings;
  readonly limits: Limits;
  readonly timeouts: UpstreamTimeouts;
  /** How to start servers that a package runner starts. */
  readonly launch: LaunchMode;
  /** Server processes that start at once. Default: the number of cores, at least 2. */
  readonly maxStarts?: number | undefined;
  /** How much of the catalog the MCP server shows up front. */
  readonly surface: "default" | "minimal" | { readonly tokens: number };
  /** What `serve` offers: tools for programs, the servers' own tools, or both. */
  readonly serves: "code" | "direct" | "both";
  /** The format of a returned value for a model. */
  readonly output: OutputMode;
  /** Offer the tool that calls a single tool without a program. */
  readonly callTool: boolean;
  /** Offer the tool that runs Python cell by cell. */
  readonly runPython: boolean;
  readonly addServers: {
    /** Server entries that an agent may find and add while it works. */
    readonly from: Readonly<Record<string, unknown>>;
  };
  /** Folder for reproducible data: tool listings, protocol versions, compiled code. */
  readonly cacheFolder: string;
  /** The output folder of `generate`. Programs can import files that people add next to its servers. */
  readonly libraryFolder?: string | undefined;
  /** Folder for durable data: workspaces with their files, memory, sessions and runs. */
  readonly stateFolder: string;
  /** Where the master key of the sign-ins comes from. */
  readonly vault: "auto" | "keychain" | "passphrase" | "file" | "memory";
  /** Folder of the encrypted sign-ins. Never in a project: only the environment and the caller choose it. */
  readonly vaultFolder: string;
  /** Address of the document that describes us to issuers. */
  readonly clientMetadataUrl?: string | undefined;
  /** Folder of skills: saved programs with parameters. */
  readonly skillsFolder: string;
  /** What happens to skills that are not signed, or were edited since. @default "warn" */
  readonly skillSignatures: "off" | "warn" | "strict";
  /** Store programs that ran well as proposed skills. */
  readonly proposeSkills: boolean;
  /** The workspace of runs that do not name one. */
  readonly workspace: string;
  /** Store every run with its calls, so that it can be resumed. */
  readonly journal: "on" | "off";
  /** How long a client of the MCP server waits for a run. After that it gets the run's id and polls. */
  readonly answerWithinMs: number;
  /** Sync every record to disk, so that a power failure loses nothing. */
  readonly syncToDisk: boolean;
  readonly retention: Retention;
  readonly http: HttpSettings;
  /** The model of `ask`. */
  readonly model: ModelSettings;
  /** List entries that would start mcp-coordinator itself. */
  readonly allowSelf: boolean;
}

/** Why a policy file has no effect, and what makes it apply. */
export const describeIgnoredPolicy = (file: string): { readonly problem: string; readonly fix: string } => ({
  problem: `"${file}" is not used: no configuration file is read from its folder`,
  fix: 'Move it to the folder of your configuration, or name it there: "coordinator": { "policy": "PATH" }.',
});

export interface Configuration {
  readonly servers: readonly ServerDefinition[];
  /** Servers that may be added at run time. They are neither started nor listed before. */
  readonly addable: readonly ServerDefinition[];
  readonly settings: Settings;
  /** The first one is the user's own; the others only narrow it. */
  readonly policies: readonly PolicyDocument[];
  /** Files named like a policy that were not read, because no configuration file is in their folder. */
  readonly ignoredPolicies?: readonly string[] | undefined;
  /** Every file that was read, in order of precedence. */
  readonly sources: readonly string[];
  /** Notices for a person, such as a skipped entry or a missing folder. */
  readonly warnings: readonly string[];
  /** Items that are not used until a person has trusted them. */
  readonly untrusted: readonly UntrustedItem[];
  /** Items used without a trust record, because the opener said so. Valid for this process. */
  readonly trusted: readonly TrustRecord[];
}

/** Limits on calls. Each is optional. */
export interface FlowLimits {
  /** Calls per period, e.g. `30/min`. Further calls wait. */
  readonly rate?: string | undefined;
  /** Concurrent calls. Further calls wait. */
  readonly concurrency?: number | undefined;
  /** Calls per period, e.g. `1000/day`, or in total. Further calls fail. */
  readonly quota?: string | number | undefined;
}

export interface ServerFlow extends FlowLimits {
  /** `refused`: also retries writes that the server certainly did not process. @default "reads" */
  readonly retry?: "reads" | "refused" | "never" | undefined;
}

export interface FlowSettings {
  /** By server, or by `server.tool` with `*`. Every entry that matches a call applies. */
  readonly servers: Readonly<Record<string, ServerFlow>>;
  /** By the name of a caller; `*` means every other caller. Each caller has its own limits. */
  readonly callers: Readonly<Record<string, FlowLimits>>;
  /** By the run's profile; `*` means every other run. Each run has its own limits. */
  readonly runs: Readonly<Record<string, FlowLimits>>;
}
