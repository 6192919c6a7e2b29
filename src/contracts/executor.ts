// The contract of every sandbox: a job goes in, an outcome comes out, guest failures are values.
import type { Limits } from "./limits.js";
import type { ToolProgress } from "./run.js";

/** The language that a program is written in. */
export type Language = "typescript" | "python";

/** A module that a program can import. Only reachable modules are passed. */
export interface LibraryFile {
  /** The specifier after normalization, e.g. `servers/github`. */
  readonly path: string;
  readonly source: string;
}

/** A guest's call to the host. `argumentsJson` is an array of the call's arguments, as JSON text. */
export interface GuestCall {
  readonly server: string;
  readonly tool: string;
  readonly argumentsJson: string;
  /** Return the whole MCP result instead of its content. */
  readonly isRaw: boolean;
  /** What the program's clock showed since its last call, in the guest's format; absent if the program did not read it. */
  readonly times?: string | undefined;
  /** The guest's own number for it. */
  readonly id?: number | undefined;
  /** The program discards the answer. Only reported in a plan. */
  readonly isDiscarded?: true | undefined;
  /** The program wants to know how far the tool is. It is reported now and then, not at every step. */
  readonly onProgress?:
    | ((progress: Pick<ToolProgress, "message" | "progress" | "total">) => void)
    | undefined;
  /** Calls with made-up answers that the program may have used since its last call; the first few of the run. */
  readonly used?: readonly number[] | undefined;
}

/** What makes a run repeatable. */
export interface GuestOrigin {
  /** Its randomness: 32 bytes in hexadecimal. */
  readonly seed: string;
  /** What its clock showed when it ran before, as reported by its calls. */
  readonly times?: string | undefined;
  /** Calls that it made when it ran before. Until it has made as many, sleeps return at once. */
  readonly calls?: number | undefined;
}

/**
 * The host's answer. Only text crosses: `json` is JSON, `text` a plain string, `either` a text that the guest parses
 * if it is JSON, so that the host never parses what it only passes on.
 */
export type GuestAnswer =
  | {
      readonly status: "answered";
      readonly format: "json" | "text" | "either";
      readonly body: string;
      /** The guest reports when the program may have used it: at once, or when it first reads the `object`. */
      readonly madeUp?: "value" | "object" | undefined;
    }
  | { readonly status: "failed"; readonly name: string; readonly message: string; readonly code: string };

/** A line that a program printed, and how. */
export interface LogLine {
  readonly level: "log" | "info" | "warn" | "error" | "debug";
  readonly text: string;
}

/** The host functions of one run. */
export interface HostFunctions {
  /** Never rejects: a failure is an answer. */
  readonly call: (call: GuestCall, signal: AbortSignal) => Promise<GuestAnswer>;
  /** A line that the guest printed, as it happens. */
  readonly log?: ((line: LogLine) => void) | undefined;
  /** Whether the run is still repeating what it did before. Its timers then fire at once. */
  readonly isReplaying?: (() => boolean) | undefined;
}

export interface GuestJob {
  readonly language: Language;
  /** The owner of the run. A process that ran for one owner never runs for another. @default one owner for all */
  readonly workspace?: string | undefined;
  /** TypeScript: a JavaScript module whose default export is the program, an async function. Python: the program's text. */
  readonly code: string;
  /** Runs of one session share the guest's state. Without a session every run is fresh. */
  readonly session?: string | undefined;
  readonly files: readonly LibraryFile[];
  /** Python: top-level modules it imports that are neither Python's own nor ours. Absent if unknown. */
  readonly libraries?: readonly string[] | undefined;
  /** Servers that are global objects in the program: identifier → configured name. */
  readonly globals: Readonly<Record<string, string>>;
  readonly host: HostFunctions;
  /** Without it the run cannot be repeated. */
  readonly origin?: GuestOrigin | undefined;
  readonly limits: Limits;
  /** Calls the listener when the time limit must stop, because a person is asked, and when it runs again. */
  readonly onHold?: ((listener: (isHeld: boolean) => void) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** An exception of the guest, rebuilt from strings. Positions refer to `GuestJob.code`. */
export interface GuestFailure {
  readonly name: string;
  readonly message: string;
  /** Set if the exception came from a host function. */
  readonly code?: string | undefined;
  /** The library file that the position is in, as reported by the guest; absent if it is in the program. */
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  /** Every place of the program and its library files that the exception passed through, innermost first. */
  readonly frames?: readonly GuestFrame[] | undefined;
}

/** A place in `GuestJob.code` or in a library file. */
export interface GuestFrame {
  /** The function's name; absent at the top level. */
  readonly name?: string | undefined;
  readonly file?: string | undefined;
  readonly line: number;
  readonly column?: number | undefined;
}

/** Which limit stopped a run before its end, or that it was cancelled. */
export type StopReason = "timeout" | "cpu" | "memory" | "output" | "calls" | "cancelled";

interface OutcomeFacts {
  readonly logs: readonly LogLine[];
  /** What the program's clock showed since its last call. */
  readonly times?: string | undefined;
  /** Heap size of the guest at its end, if the engine reports it. */
  readonly memoryBytes?: number | undefined;
}

export type GuestOutcome = OutcomeFacts &
  (
    | {
        readonly status: "completed" /** Absent when the program returned nothing. */;
        readonly valueJson?: string | undefined;
      }
    | { readonly status: "failed"; readonly failure: GuestFailure }
    | { readonly status: "stopped"; readonly reason: StopReason }
  );

export interface ExecutorStatistics {
  readonly activeRuns: number;
  readonly waitingRuns: number;
  readonly processes: number;
}

/** Guest state that persists between runs. */
export interface SessionFacts {
  readonly name: string;
  readonly language: Language;
  readonly runs: number;
  readonly idleMs: number;
  readonly isBusy: boolean;
}

/** Whether an executor can run here, and what isolates its guests. */
export interface ExecutorReport {
  readonly isAvailable: boolean;
  /** Why it cannot run, or what it lacks. */
  readonly reason?: string | undefined;
  /** The command or step that would change that. */
  readonly fix?: string | undefined;
  /** What it can run here, if that is less than usual. */
  readonly languages?: readonly Language[] | undefined;
  /** Data libraries that are missing for Python programs. */
  readonly missingLibraries?: readonly string[] | undefined;
  /** The walls that are active, e.g. "V8 isolate", "seccomp", "own process". */
  readonly walls: readonly string[];
  /** What it does not stop. */
  readonly gaps: readonly string[];
}

/** A sandbox. It throws only if it is broken itself; what a guest does is an outcome. */
export interface Executor {
  readonly name: string;
  readonly languages: readonly Language[];
  /** Whether it can work here and how strong it is, without running a guest. Cheap enough for startup. */
  readonly inspect: () => Promise<ExecutorReport>;
  /** Starts what can be started ahead, so that the first run does not wait. */
  readonly warm: () => void;
  readonly run: (job: GuestJob) => Promise<GuestOutcome>;
  readonly statistics: () => ExecutorStatistics;
  readonly sessions: () => readonly SessionFacts[];
  /** Forgets a session's state; false if there was none. */
  readonly resetSession: (name: string) => Promise<boolean>;
  readonly close: () => Promise<void>;
}
