// The protocol of the process that fetches packages: lines of JSON on its pipes.
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
  /** Leave a package with install scripts to its runner, which has its own rules for them. */
  readonly leavesScripts?: boolean | undefined;
  /** The path of npm, uv, docker or podman. */
  readonly command: string;
  /** The environment of the server's process, so that the installer reads the same settings as the runner. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string | undefined;
  /** The folder of the package's record and versions. */
  readonly folder: string;
  readonly timeoutMs: number;
  /** Resolve the name again even if installed, unless that was done after this time. */
  readonly refreshBeforeMs?: number | undefined;
  /** Reinstall even the same version, because it was built for another Node. */
  readonly isRebuilt?: boolean | undefined;
  /** The Node that the written command would use, and the one that runs us. */
  readonly nodes?: { readonly machine?: NodeProgram | undefined; readonly own: NodeProgram } | undefined;
}

/** To the process: a job, or a request to prioritize one. */
export type FetchRequest =
  | { readonly id: number; readonly job: FetchJob }
  | { readonly id: number; readonly isUrgent: true };

export interface FetchFailure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string;
  readonly details?: unknown;
}

/** From the process: an installation starts or ends. */
export type FetchReply =
  | { readonly id: number; readonly isBegun: true }
  | { readonly id: number; readonly record: PackageRecord }
  | { readonly id: number; readonly failure: FetchFailure };
