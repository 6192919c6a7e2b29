// The types of a diagnosis.
import type { CoordinatorError, ExecutorReport, Language, UntrustedItem } from "../../contracts/index.js";
import type { ServerSummary } from "../coordinator.js";

export interface ExecutorDiagnosis extends ExecutorReport {
  readonly name: string;
  /** The languages it can run here. */
  readonly languages: readonly Language[];
  /** The results of its self-test. */
  readonly checks: readonly {
    readonly what: string;
    readonly language: Language;
    readonly isPassed: boolean;
    readonly found: string;
  }[];
}

export interface ServerDiagnosis extends ServerSummary {
  /** From the server's start until its tools were listed. */
  readonly durationMs?: number | undefined;
  /** The last lines of stderr, if it failed. */
  readonly stderr?: string | undefined;
  /** Its installed package is damaged. `repairServer` removes it. */
  readonly isDamaged?: boolean | undefined;
}

/** A problem and the step that fixes it. */
export interface DiagnosedProblem {
  /** The subject, e.g. `server github`. */
  readonly subject: string;
  readonly problem: string;
  readonly fix: string;
  /** True if it breaks something, false if it is only worth knowing. */
  readonly isSerious: boolean;
}

export interface FolderDiagnosis {
  readonly what: "cache" | "state";
  readonly path: string;
  readonly isWritable: boolean;
  readonly bytes: number;
  /** The folder contains more than was counted. */
  readonly isCounted: boolean;
  readonly freeBytes?: number | undefined;
}

export interface RuntimeDiagnosis {
  readonly what: "node" | "python" | "container";
  /** Path or name, with version. Absent if not installed. */
  readonly found?: string | undefined;
  readonly reason?: string | undefined;
  readonly fix?: string | undefined;
}

/** Progress of the servers. */
export interface DiagnoseProgress {
  readonly done: number;
  readonly total: number;
  /** Servers that have neither answered nor failed. */
  readonly waiting: readonly string[];
}

export interface DiagnoseRequest {
  /** Called when a server has answered or failed. */
  readonly onProgress?: ((progress: DiagnoseProgress) => void) | undefined;
  /** Problems known in advance, e.g. a configuration that cannot be read. */
  readonly problems?: readonly CoordinatorError[] | undefined;
}

export interface Diagnosis {
  /** Every server answers, TypeScript runs, every sandbox holds, and the store is writable. */
  readonly isHealthy: boolean;
  readonly node: string;
  readonly sources: readonly string[];
  /** The problems, most serious first. */
  readonly problems: readonly DiagnosedProblem[];
  readonly servers: readonly ServerDiagnosis[];
  readonly untrusted: readonly UntrustedItem[];
  readonly sandboxes: readonly ExecutorDiagnosis[];
  /** The sandbox of each language, and the reason. */
  readonly chosen: readonly {
    readonly language: Language;
    readonly executor?: string | undefined;
    readonly reason: string;
  }[];
  readonly runtimes: readonly RuntimeDiagnosis[];
  readonly folders: readonly FolderDiagnosis[];
}
