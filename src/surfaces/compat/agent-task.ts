// The types of the orchestrator: tasks, results, skills, statistics.
import type { ErrorCode, Json, Language } from "../../contracts/index.js";
import type { OpenOptions } from "../../coordinator/index.js";

export interface OrchestratorOptions extends OpenOptions {
  /** Tasks in progress at once; more wait in order. @default the setting `limits.concurrentRuns`: 5 */
  readonly maxConcurrentTasks?: number | undefined;
  /** Time limit of a task in milliseconds. @default the setting `limits.timeoutMs`: 30,000 */
  readonly defaultTimeout?: number | undefined;
  /** Skills folder. @default the setting `skillsFolder` */
  readonly skillsDir?: string | undefined;
}

export interface AgentTask {
  readonly id: string;
  readonly description: string;
  /** The program. A task without one fails. */
  readonly code?: string | undefined;
  /** The only servers that the program may call; `server.tool` allows that tool's server. */
  readonly requiredTools: readonly string[];
  /** @default "typescript" */
  readonly language?: Language | undefined;
  /** Updated as the task progresses. */
  status: "pending" | "running" | "completed" | "failed";
  /** Set when it has ended. */
  result?: ExecutionResult | undefined;
}

export interface ExecutionStats {
  /** Milliseconds. */
  readonly duration: number;
  /** What a model spends on it: the program it writes and the answer it reads, counted as o200k. */
  readonly tokensUsed: number;
  /** Bytes at its end; 0 if nothing was run. */
  readonly memoryUsed: number;
  /** Each once, as programs call it: `supabase.listTables`. */
  readonly toolsCalled: readonly string[];
}

export interface ExecutionResult<Data = Json> {
  readonly success: boolean;
  /** What the program returned; absent if nothing. */
  readonly data?: Data | undefined;
  readonly error?:
    | {
        readonly message: string;
        readonly code: ErrorCode;
        /** The next step. */
        readonly hint: string;
        /** The position in the program. */
        readonly stack?: string | undefined;
      }
    | undefined;
  readonly stats: ExecutionStats;
}

export interface Skill {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly code: string;
  /** Undefined if a person wrote its file and nobody saved it. */
  readonly createdAt?: Date | undefined;
  /** Completed runs of it. */
  readonly usageCount: number;
  readonly tags: readonly string[];
}

export interface OrchestratorStats {
  readonly servers: number;
  readonly tools: number;
  readonly skills: number;
  readonly activeTasks: number;
  readonly maxConcurrentTasks: number;
}
