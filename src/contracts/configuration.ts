// What the user asked for: servers and settings, already expanded and validated.
import type { CoordinatorError } from "./errors.js";
import type { InProcessTarget } from "./host-tool.js";
import type { LaunchMode } from "./launch.js";
import type { Limits } from "./limits.js";
import type { OutputMode } from "./run.js";

export interface StdioTarget {
  readonly kind: "stdio";
  readonly command: string;
  readonly args: readonly string[];
  /** Variables for the server's process, secrets among them: they never leave the host. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string | undefined;
}

export interface HttpTarget {
  readonly kind: "http" | "sse";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** One configured MCP server, or tools that were registered in code. */
export interface ServerDefinition {
  /** The configured name: prefix of its tools everywhere, never the name a server gives itself. */
  readonly name: string;
  readonly target: StdioTarget | HttpTarget | InProcessTarget;
  /** The command line or address as it was written, references not expanded: what may be shown. */
  readonly written: string;
  readonly description?: string | undefined;
  readonly isEnabled: boolean;
  /** Where it was defined: a file's path. */
  readonly source: string;
  /** Overrides of the settings' timeouts for this server. */
  readonly timeouts?: Partial<UpstreamTimeouts> | undefined;
  /** In place of the setting `launch`. */
  readonly launch?: LaunchMode | undefined;
  /** Why it cannot be used, e.g. a missing variable; the other servers are unaffected. */
  readonly problem?: CoordinatorError | undefined;
}

/** A server that is reached over a wire. */
export type WiredDefinition = ServerDefinition & { readonly target: StdioTarget | HttpTarget };

export interface UpstreamTimeouts {
  /** Installation of a server's package, before its first start. */
  readonly fetchTimeoutMs: number;
  /** Start of the process or connection, until the handshake is done. */
  readonly connectTimeoutMs: number;
  /** Listing of tools, resources and prompts. */
  readonly listTimeoutMs: number;
  /** One tool call. */
  readonly callTimeoutMs: number;
  /** How long a server's process stays after its last call. */
  readonly idleTimeoutMs: number;
}

export type ExecutorName = "isolate" | "wasm" | "python" | "python-lite" | "container" | "microvm";

/** A named set of restrictions that a run can ask for. What it leaves out is as in the settings. */
export interface Profile {
  readonly executor?: "auto" | ExecutorName | undefined;
  readonly limits?: Partial<Limits> | undefined;
  /** Only these servers may be called. */
  readonly servers?: readonly string[] | undefined;
  /** Only these of the listed packages may be imported. */
  readonly packages?: readonly string[] | undefined;
  readonly network?: { readonly allow: readonly string[] } | undefined;
  /** Python modules that programs may not import, besides those of the settings. */
  readonly deny?: readonly string[] | undefined;
  /** Calls that people must allow, besides those of the settings. */
  readonly approve?: readonly string[] | undefined;
}

/** What callers over HTTP may do, and how much of it. */
export interface HttpSettings {
  /** The environment variable with the token of the first caller, in place of one that is made. */
  readonly tokenVariable?: string | undefined;
  /** Names under which callers reach this machine, besides its own addresses. */
  readonly hosts: readonly string[];
  /** Offer callers what `addServers` offers. */
  readonly mayAddServers: boolean;
  /** Sessions of the 2025 protocol that one caller may hold. */
  readonly sessions: number;
  /** How long a session lives that nobody uses. */
  readonly sessionIdleMs: number;
  /** Requests that are under way at once. */
  readonly requests: number;
  /** Size of one request. */
  readonly requestBytes: number;
  /** How long a request may take to arrive. */
  readonly arrivalMs: number;
}

/** Our own settings: the `coordinator` key. */
export interface Settings {
  /** The sandbox: its name runs every language it can, "auto" picks the strongest that needs no set-up. */
  readonly executor: "auto" | ExecutorName;
  /** Run programs without a compiler to machine code: slower, and one thing less to attack. */
  readonly jitless: boolean;
  readonly python: {
    /** An interpreter, or the folder of a virtual environment. */
    readonly interpreter?: string | undefined;
    /** Libraries that are imported before programs come. */
    readonly preload: readonly string[];
    /** Modules that programs may not import; a rule for good order, the walls are what holds. */
    readonly deny: readonly string[];
    /** The checker of types for Python programs, where one is installed beside the interpreter or on PATH. */
    readonly checker: "auto" | "off" | "ty" | "pyright" | "basedpyright" | "mypy";
  };
  readonly container: {
    /** "podman", "docker", or the path of one of them. */
    readonly runtime?: string | undefined;
    /** An image in place of the one that `setup container` makes. */
    readonly image?: string | undefined;
    /** Another OCI runtime than the container runtime's own. */
    readonly ociRuntime?: string | undefined;
    /** Without a run for so long, the last container is ended too. */
    readonly idleMs: number;
  };
  /** JavaScript packages that programs may import. */
  readonly packages: readonly string[];
  readonly network: {
    /** Hosts that programs may fetch from, through the host. */
    readonly allow: readonly string[];
  };
  readonly profiles: Readonly<Record<string, Profile>>;
  /** Calls that people must allow before they are made: "server.tool" with "*" for any part, "writes", "destructive". */
  readonly approve: readonly string[];
  /** Where people may allow calls: also in the form of an MCP client, or only outside of it. */
  readonly approvals: "anywhere" | "outside";
  readonly limits: Limits;
  readonly timeouts: UpstreamTimeouts;
  /** How servers are started that a package runner starts. */
  readonly launch: LaunchMode;
  /** Processes of servers that start at once; without it as many as there are cores, at least 2. */
  readonly maxStarts?: number | undefined;
  /** How much of the catalog the MCP server shows before anybody asks. */
  readonly surface: "default" | "minimal";
  /** How a returned value is written for a model. */
  readonly output: OutputMode;
  /** Offer the tool that calls one tool without a program. */
  readonly callTool: boolean;
  /** Offer the tool that runs Python cell by cell. */
  readonly runPython: boolean;
  readonly addServers: {
    /** Entries, as servers have them, that an agent may find and add while it works. */
    readonly from: Readonly<Record<string, unknown>>;
  };
  /** Folder for what can be made again: tool listings, protocol verdicts, compiled code. */
  readonly cacheFolder: string;
  /** The folder that `generate` writes into: files that people put beside its servers can be imported in programs. */
  readonly libraryFolder?: string | undefined;
  /** Folder for what lasts: workspaces with their files, memory, sessions and runs. */
  readonly stateFolder: string;
  /** Folder of the skills: saved programs with parameters. */
  readonly skillsFolder: string;
  /** Keep programs that ran well as proposals for skills. */
  readonly proposeSkills: boolean;
  /** The workspace of runs that name none. */
  readonly workspace: string;
  /** Keep every run with its calls, so that it can be gone on with. */
  readonly journal: "on" | "off";
  /** How long a client of the MCP server waits for a run; then it gets the run's id and asks again. */
  readonly answerWithinMs: number;
  /** Wait for the disk at every record that is kept, so that a power cut loses nothing. */
  readonly syncToDisk: boolean;
  readonly retention: {
    /** Runs that one workspace keeps; the oldest go first. */
    readonly keptRuns: number;
    /** Size of the runs that one workspace keeps. */
    readonly keptRunBytes: number;
    /** Days after which a kept value that nobody used is removed. */
    readonly keptValueDays: number;
    /** Days after which a workspace that nobody used is removed; absent: never. */
    readonly keptWorkspaceDays?: number | undefined;
  };
  readonly http: HttpSettings;
  /** List entries that would start mcp-coordinator itself. */
  readonly allowSelf: boolean;
}

/** One thing that decides what a server runs or where it sends data, as a person is shown it. */
export interface LaunchFact {
  /** "command", "address", "folder", "envFile", the name of a variable or header, "file", or "note". */
  readonly label: string;
  /** With what the folder's own files put in; a reference to the person's environment stays a reference, and a secret is not shown. */
  readonly value: string;
  /** It can make the same command run other code. */
  readonly isSteering: boolean;
}

/** Something in a file that others may write, which waits until a person has looked at it. */
export interface UntrustedItem {
  /** A server's command or address, settings, the folder's `.env` for a person's own servers, or the state that it brings along. */
  readonly kind: "server" | "settings" | "environment" | "state";
  /** The file that it stands in. */
  readonly file: string;
  /** The server, for servers. */
  readonly name: string;
  /** What would be started or used, as it is written. */
  readonly written: string;
  /** What was trusted before, when it has changed since. */
  readonly before?: string | undefined;
  /** Everything that decides what is run, for servers and for settings that offer some. */
  readonly facts?: readonly LaunchFact[] | undefined;
  readonly fingerprint: string;
}

/** One thing that was trusted, exactly as it was then. */
export interface TrustRecord {
  readonly kind: UntrustedItem["kind"];
  readonly file: string;
  readonly name: string;
  readonly fingerprint: string;
  /** As it was shown. */
  readonly written: string;
  readonly trustedAt: string;
  /** It holds because the caller named the file. */
  readonly isNamed?: boolean | undefined;
}

/** Set by the person who starts us, where nobody can be asked: a build, a container. */
export const isTrustGiven = (environment: Readonly<Record<string, string | undefined>>): boolean =>
  /^(?:true|1)$/i.test(environment.MCP_COORDINATOR_TRUST?.trim() ?? "");

export interface Configuration {
  readonly servers: readonly ServerDefinition[];
  /** Servers that may be added while it runs: nothing is started or listed of them before. */
  readonly addable: readonly ServerDefinition[];
  readonly settings: Settings;
  /** Every file that was read, in order of precedence. */
  readonly sources: readonly string[];
  /** What a person should know: an entry skipped, a folder missing. */
  readonly warnings: readonly string[];
  /** What is not used before a person has trusted it. */
  readonly untrusted: readonly UntrustedItem[];
  /** What is used without a record of trust, because whoever opened it said so; it holds for this process. */
  readonly trusted: readonly TrustRecord[];
}
