// The configuration: servers and settings, expanded and validated.
import type { CoordinatorError } from "./errors.js";
import type { InProcessTarget } from "./host-tool.js";
import type { LaunchMode } from "./launch.js";
import type { Limits } from "./limits.js";
import type { ModelSettings } from "./model.js";
import type { OutputMode } from "./run.js";

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
}

export type ExecutorName = "isolate" | "wasm" | "python" | "python-lite" | "container" | "microvm";

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

/** Tokens of the catalog that agents see up front. benchmarks/tokens compares other values. */
export const defaultSurfaceTokens = 400;

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
    /** An image that replaces the one made by `setup container`. */
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
  /** Where people may approve calls: also in a form of the MCP client, or only outside it. */
  readonly approvals: "anywhere" | "outside";
  readonly limits: Limits;
  readonly timeouts: UpstreamTimeouts;
  /** How to start servers that a package runner starts. */
  readonly launch: LaunchMode;
  /** Server processes that start at once. Default: the number of cores, at least 2. */
  readonly maxStarts?: number | undefined;
  /** How much of the catalog the MCP server shows up front. */
  readonly surface: "default" | "minimal" | { readonly tokens: number };
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
  /** Folder of skills: saved programs with parameters. */
  readonly skillsFolder: string;
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
  readonly retention: {
    /** Runs per workspace; the oldest are removed first. */
    readonly keptRuns: number;
    /** Total size of the runs of one workspace. */
    readonly keptRunBytes: number;
    /** Days until an unused stored value is removed. */
    readonly keptValueDays: number;
    /** Days until an unused workspace is removed. Absent: never. */
    readonly keptWorkspaceDays?: number | undefined;
  };
  readonly http: HttpSettings;
  /** The model of `ask`. */
  readonly model: ModelSettings;
  /** List entries that would start mcp-coordinator itself. */
  readonly allowSelf: boolean;
}

/** One fact that decides what a server runs or where it sends data, as shown to a person. */
export interface LaunchFact {
  /** "command", "address", "folder", "envFile", the name of a variable or header, "file", or "note". */
  readonly label: string;
  /** Expanded with the folder's own files. A reference to the person's environment stays a reference, and a secret is not shown. */
  readonly value: string;
  /** It can make the same command run different code. */
  readonly isSteering: boolean;
}

/** Something in a file that others may write. It is not used until a person has reviewed it. */
export interface UntrustedItem {
  /** A server's command or address, settings, the folder's `.env` for a person's own servers, or the state that comes with it. */
  readonly kind: "server" | "settings" | "environment" | "state";
  /** The file that contains it. */
  readonly file: string;
  /** The server's name, for servers. */
  readonly name: string;
  /** What would be started or used, as written. */
  readonly written: string;
  /** What was trusted before, if it has changed since. */
  readonly before?: string | undefined;
  /** Everything that decides what runs, for servers and for settings that offer some. */
  readonly facts?: readonly LaunchFact[] | undefined;
  readonly fingerprint: string;
}

/** One trusted item, exactly as it was at that time. */
export interface TrustRecord {
  readonly kind: UntrustedItem["kind"];
  readonly file: string;
  readonly name: string;
  readonly fingerprint: string;
  /** As it was shown. */
  readonly written: string;
  readonly trustedAt: string;
  /** Trusted because the caller named the file. */
  readonly isNamed?: boolean | undefined;
}

/** Set by the person who starts us where nobody can be asked, such as a build or a container. */
export const isTrustGiven = (environment: Readonly<Record<string, string | undefined>>): boolean =>
  /^(?:true|1)$/i.test(environment.MCP_COORDINATOR_TRUST?.trim() ?? "");

export interface Configuration {
  readonly servers: readonly ServerDefinition[];
  /** Servers that may be added at run time. They are neither started nor listed before. */
  readonly addable: readonly ServerDefinition[];
  readonly settings: Settings;
  /** Every file that was read, in order of precedence. */
  readonly sources: readonly string[];
  /** Notices for a person, such as a skipped entry or a missing folder. */
  readonly warnings: readonly string[];
  /** Items that are not used until a person has trusted them. */
  readonly untrusted: readonly UntrustedItem[];
  /** Items used without a trust record, because the opener said so. Valid for this process. */
  readonly trusted: readonly TrustRecord[];
}
