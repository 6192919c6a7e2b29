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
}

/**
 * What the host answers. Only text crosses: `json` is JSON, `text` a plain string, `either` a text that is parsed
 * inside the guest when it is JSON, so that the host never parses what it only passes on.
 */
export type GuestAnswer =
  | { readonly status: "answered"; readonly format: "json" | "text" | "either"; readonly body: string }
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
  readonly log?: (line: LogLine) => void;
}

export interface GuestJob {
  /** A module of the executor's own language whose default export is the program, an async function. */
  readonly code: string;
  readonly files: readonly LibraryFile[];
  /** Servers that are global objects in the program: identifier → configured name. */
  readonly globals: Readonly<Record<string, string>>;
  readonly host: HostFunctions;
  readonly limits: Limits;
  readonly signal?: AbortSignal;
}

/** An exception of the guest, rebuilt from strings. Positions are those of `GuestJob.code`. */
export interface GuestFailure {
  readonly name: string;
  readonly message: string;
  /** Set when the exception came from a host function. */
  readonly code?: string;
  readonly line?: number;
  readonly column?: number;
}

export type StopReason = "timeout" | "memory" | "output" | "calls" | "cancelled";

interface OutcomeFacts {
  readonly logs: readonly LogLine[];
  /** Heap of the guest at its end, when the engine tells. */
  readonly memoryBytes?: number;
}

export type GuestOutcome = OutcomeFacts &
  (
    | {
        readonly status: "completed" /** Absent when the program returned nothing. */;
        readonly valueJson?: string;
      }
    | { readonly status: "failed"; readonly failure: GuestFailure }
    | { readonly status: "stopped"; readonly reason: StopReason }
  );

export interface ExecutorStatistics {
  readonly activeRuns: number;
  readonly waitingRuns: number;
  readonly processes: number;
}

/** A sandbox. It throws only when it is itself broken; what a guest does is an outcome. */
export interface Executor {
  readonly name: string;
  readonly languages: readonly Language[];
  /** Starts what can be started ahead, so that the first run does not wait. */
  readonly warm: () => void;
  readonly run: (job: GuestJob) => Promise<GuestOutcome>;
  readonly statistics: () => ExecutorStatistics;
  readonly close: () => Promise<void>;
}
