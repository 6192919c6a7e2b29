// What `diagnose` tells of everything a program depends on.
import type { CoordinatorError, ExecutorReport, Language, UntrustedItem } from "../../contracts/index.js";
import type { ServerSummary } from "../coordinator.js";

export interface ExecutorDiagnosis extends ExecutorReport {
  readonly name: string;
  /** What it can run here. */
  readonly languages: readonly Language[];
  /** What was tried inside it. */
  readonly checks: readonly {
    readonly what: string;
    readonly language: Language;
    readonly isPassed: boolean;
    readonly found: string;
  }[];
}

export interface ServerDiagnosis extends ServerSummary {
  /** From the start of the server until its tools were listed. */
  readonly durationMs?: number | undefined;
  /** The last of what it wrote to stderr, when it failed. */
  readonly stderr?: string | undefined;
  /** What was installed of it is damaged: `repairServer` removes it. */
  readonly isDamaged?: boolean | undefined;
}

/** Something that is wrong, and the step that would mend it. */
export interface DiagnosedProblem {
  /** What it is about, e.g. `server github`. */
  readonly subject: string;
  readonly problem: string;
  readonly fix: string;
  /** Nothing is healthy with it; otherwise it is worth knowing. */
  readonly isSerious: boolean;
}

export interface FolderDiagnosis {
  readonly what: "cache" | "state";
  readonly path: string;
  readonly isWritable: boolean;
  readonly bytes: number;
  /** There is more in it than was counted. */
  readonly isCounted: boolean;
  readonly freeBytes?: number | undefined;
}

export interface RuntimeDiagnosis {
  readonly what: "node" | "python" | "container";
  /** Its path or name with its version; absent when there is none. */
  readonly found?: string | undefined;
  readonly reason?: string | undefined;
  readonly fix?: string | undefined;
}

/** How far the servers are. */
export interface DiagnoseProgress {
  readonly done: number;
  readonly total: number;
  /** Those that have neither answered nor failed. */
  readonly waiting: readonly string[];
}

export interface DiagnoseRequest {
  /** Called when a server has answered or failed. */
  readonly onProgress?: ((progress: DiagnoseProgress) => void) | undefined;
  /** What is known to be wrong already, e.g. a configuration that cannot be read. */
  readonly problems?: readonly CoordinatorError[] | undefined;
}

export interface Diagnosis {
  /** Every server answers, TypeScript runs, no sandbox let anything through, and what is kept can be kept. */
  readonly isHealthy: boolean;
  readonly node: string;
  readonly sources: readonly string[];
  /** What is wrong, the serious first. */
  readonly problems: readonly DiagnosedProblem[];
  readonly servers: readonly ServerDiagnosis[];
  readonly untrusted: readonly UntrustedItem[];
  readonly sandboxes: readonly ExecutorDiagnosis[];
  /** The sandbox for each language, and why. */
  readonly chosen: readonly {
    readonly language: Language;
    readonly executor?: string | undefined;
    readonly reason: string;
  }[];
  readonly runtimes: readonly RuntimeDiagnosis[];
  readonly folders: readonly FolderDiagnosis[];
}
