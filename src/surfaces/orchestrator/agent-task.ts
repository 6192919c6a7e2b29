// What an orchestrator takes and gives: tasks, their results, skills, figures.
import type { ErrorCode, Json, Language } from "../../contracts/index.js";
import type { OpenOptions } from "../../coordinator/index.js";

export interface OrchestratorOptions extends OpenOptions {
  /** Tasks that are under way at once; more wait in order. @default the setting `limits.concurrentRuns`: 5 */
  readonly maxConcurrentTasks?: number | undefined;
  /** Milliseconds that a task may take. @default the setting `limits.timeoutMs`: 30,000 */
  readonly defaultTimeout?: number | undefined;
  /** Folder of the skills. @default the setting `skillsFolder` */
  readonly skillsDir?: string | undefined;
}

export interface AgentTask {
  readonly id: string;
  readonly description: string;
  /** The program. A task without one fails: nobody writes it here. */
  readonly code?: string | undefined;
  /** The servers that the program may call, and no others; `server.tool` allows that tool's server. */
  readonly requiredTools: readonly string[];
  /** @default "typescript" */
  readonly language?: Language | undefined;
  /** Set as the task goes on. */
  status: "pending" | "running" | "completed" | "failed";
  /** Set when it has ended. */
  result?: ExecutionResult | undefined;
}

export interface ExecutionStats {
  /** Milliseconds. */
  readonly duration: number;
  /** What a model spent on it: the program that it wrote and the answer that it reads, counted as o200k. */
  readonly tokensUsed: number;
  /** Bytes at its end; 0 when nothing was run. */
  readonly memoryUsed: number;
  /** Each once, as programs call it: `supabase.listTables`. */
  readonly toolsCalled: readonly string[];
}

export interface ExecutionResult<Data = Json> {
  readonly success: boolean;
  /** What the program returned; absent when that was nothing. */
  readonly data?: Data | undefined;
  readonly error?:
    | {
        readonly message: string;
        readonly code: ErrorCode;
        /** The next step. */
        readonly hint: string;
        /** Where in the program it was. */
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
  /** Undefined when a person wrote its file and nobody saved it. */
  readonly createdAt?: Date | undefined;
  /** Runs of it that completed. */
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
