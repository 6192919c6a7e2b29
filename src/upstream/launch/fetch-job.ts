// What is asked of the process that fetches packages, and what it answers: lines of JSON on its pipes.
import type { ErrorCode } from "../../contracts/index.js";
import type { PackageRecord } from "./package-record.js";
import type { Installer } from "./parse-runner.js";

export interface NodeProgram {
  readonly path: string;
  readonly version: string;
}

export interface FetchJob {
  readonly installer: Exclude<Installer, "other">;
  readonly specs: readonly string[];
  readonly bin?: string | undefined;
  readonly flags: readonly string[];
  /** A package with install scripts is left to its runner, which has its own rules for them. */
  readonly leavesScripts?: boolean | undefined;
  /** The path of npm, uv, docker or podman. */
  readonly command: string;
  /** What the server's own process would get: the installer reads the same settings as the runner would. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string | undefined;
  /** Where the record and the versions of this package are. */
  readonly folder: string;
  readonly timeoutMs: number;
  /** Resolve the name again though something is there, unless that was done after this time. */
  readonly refreshBeforeMs?: number | undefined;
  /** Install it anew, also when the version is the same: it was built for another Node. */
  readonly isRebuilt?: boolean | undefined;
  /** The Node that the command as it is written would run with, and the one that runs us. */
  readonly nodes?: { readonly machine?: NodeProgram | undefined; readonly own: NodeProgram } | undefined;
}

/** To the process: a job, or the wish that one comes before the others. */
export type FetchRequest =
  | { readonly id: number; readonly job: FetchJob }
  | { readonly id: number; readonly isUrgent: true };

export interface FetchFailure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string;
  readonly details?: unknown;
}

/** From the process: an installation begins, or is over. */
export type FetchReply =
  | { readonly id: number; readonly isBegun: true }
  | { readonly id: number; readonly record: PackageRecord }
  | { readonly id: number; readonly failure: FetchFailure };
