// The contract of every sandbox: a job goes in, an outcome comes out, guest failures are values.
import type { Limits } from "./limits.js";

export type Language = "typescript" | "python";

/** One module a program can import; only what it reaches is handed over. */
export interface LibraryFile {
  /** The specifier after normalisation, e.g. `servers/github`. */
  readonly path: string;
  readonly source: string;
}

/** What a guest asks of the host. `argumentsJson` is an array of the call's arguments, as JSON text. */
export interface GuestCall {
  readonly server: string;
  readonly tool: string;
  readonly argumentsJson: string;
  /** Hand back the whole MCP result instead of its content. */
  readonly isRaw: boolean;
  /** What the program's clock showed since its last call, in the guest's own words; absent when it was not asked. */
  readonly times?: string | undefined;
  /** The guest's own number of it. */
  readonly id?: number | undefined;
  /** The program throws its answer away: it was called through `discardName`. */
  readonly isDiscarded?: true | undefined;
  /** Calls with made-up answers that the program may have looked at since its last call; the first few of the run. */
  readonly used?: readonly number[] | undefined;
}

/** What stands for `discardName` among the globals of a program: no configured server can have this name. */
export const planServer = "\u0000plan";

/** In a plan, the function around the callee of every call whose answer the program throws away. */
export const discardName: Readonly<Record<Language, string>> = {
  typescript: "$discard",
  python: "__discard__",
};

/** What makes a run repeatable. */
export interface GuestOrigin {
  /** Its randomness: 32 bytes in hexadecimal. */
  readonly seed: string;
  /** What its clock showed when it ran before, as its calls told it. */
  readonly times?: string | undefined;
  /** Calls that it made when it ran before: until it has made as many, what it slept is not slept again. */
  readonly calls?: number | undefined;
}

/**
 * What the host answers. Only text crosses: `json` is JSON, `text` a plain string, `either` a text that is parsed
 * inside the guest when it is JSON, so that the host never parses what it only passes on.
 */
export type GuestAnswer =
  | {
      readonly status: "answered";
      readonly format: "json" | "text" | "either";
      readonly body: string;
      /** The guest tells when the program may have looked at it: at once, or when it first looks into the `object`. */
      readonly madeUp?: "value" | "object" | undefined;
    }
  | { readonly status: "failed"; readonly name: string; readonly message: string; readonly code: string };

export interface LogLine {
  readonly level: "log" | "info" | "warn" | "error" | "debug";
  readonly text: string;
}

/** The host functions of one run. */
export interface HostFunctions {
  /** Never rejects: a failure is an answer. */
  readonly call: (call: GuestCall, signal: AbortSignal) => Promise<GuestAnswer>;
  /** A line the guest printed, as it happens. */
  readonly log?: ((line: LogLine) => void) | undefined;
  /** Whether the run is still at what it did before: then its timers need not be waited for. */
  readonly isReplaying?: (() => boolean) | undefined;
}

export interface GuestJob {
  readonly language: Language;
  /** Whose run it is, by any name: a process that ran for one never runs for another. @default all the same one */
  readonly workspace?: string | undefined;
  /** TypeScript: a JavaScript module whose default export is the program, an async function. Python: the program's text. */
  readonly code: string;
  /** Runs of one session share the guest's state; without it every run is fresh. */
  readonly session?: string | undefined;
  readonly files: readonly LibraryFile[];
  /** Python: what it imports that is neither Python's own nor ours, by top-level names. Absent where that cannot be told. */
  readonly libraries?: readonly string[] | undefined;
  /** Servers that are global objects in the program: identifier → configured name. */
  readonly globals: Readonly<Record<string, string>>;
  readonly host: HostFunctions;
  /** Without it nobody can repeat the run. */
  readonly origin?: GuestOrigin | undefined;
  readonly limits: Limits;
  readonly signal?: AbortSignal | undefined;
}

/** An exception of the guest, rebuilt from strings. Positions are those of `GuestJob.code`. */
export interface GuestFailure {
  readonly name: string;
  readonly message: string;
  /** Set when the exception came from a host function. */
  readonly code?: string | undefined;
  /** The library file that the position is in, as the guest tells it; absent when it is in the program. */
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

export type StopReason = "timeout" | "cpu" | "memory" | "output" | "calls" | "cancelled";

interface OutcomeFacts {
  readonly logs: readonly LogLine[];
  /** What the program's clock showed since its last call. */
  readonly times?: string | undefined;
  /** Heap of the guest at its end, when the engine tells. */
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

/** Guest state that is kept between runs. */
export interface SessionFacts {
  readonly name: string;
  readonly language: Language;
  readonly runs: number;
  readonly idleMs: number;
  readonly isBusy: boolean;
}

/** Whether an executor can run here, and what stands between its guests and the machine. */
export interface ExecutorReport {
  readonly isAvailable: boolean;
  /** Why it cannot run, or what it lacks. */
  readonly reason?: string | undefined;
  /** The command or step that would change that. */
  readonly fix?: string | undefined;
  /** What it can run here, where that is less than it could. */
  readonly languages?: readonly Language[] | undefined;
  /** Data libraries that Python programs will not find inside. */
  readonly missingLibraries?: readonly string[] | undefined;
  /** The walls that really stand, e.g. "V8 isolate", "seccomp", "own process". */
  readonly walls: readonly string[];
  /** What it does not stop. */
  readonly gaps: readonly string[];
}

/** A sandbox. It throws only when it is itself broken; what a guest does is an outcome. */
export interface Executor {
  readonly name: string;
  readonly languages: readonly Language[];
  /** Looks, without running a guest, whether it can work here and how strong it is. Cheap enough for start-up; the answer is remembered. */
  readonly inspect: () => Promise<ExecutorReport>;
  /** Starts what can be started ahead, so that the first run does not wait. */
  readonly warm: () => void;
  readonly run: (job: GuestJob) => Promise<GuestOutcome>;
  readonly statistics: () => ExecutorStatistics;
  readonly sessions: () => readonly SessionFacts[];
  /** Forgets a session's state; false when there was none. */
  readonly resetSession: (name: string) => Promise<boolean>;
  readonly close: () => Promise<void>;
}
