// The tasks, results, skills and statistics of the orchestrator, and the conversion of a run's result.
import {
  type CallRecord,
  type ErrorCode,
  errorTable,
  type Json,
  type Language,
  type RunError,
  type RunResult,
} from "../../contracts/index.js";
import type { OpenOptions } from "../../coordinator/index.js";

/** How to open an `MCPOrchestrator`. */
export interface OrchestratorOptions extends OpenOptions {
  /** Tasks in progress at once; more wait in order. @default the setting `limits.concurrentRuns`: 5 */
  readonly maxConcurrentTasks?: number | undefined;
  /** Time limit of a task in milliseconds. @default the setting `limits.timeoutMs`: 30,000 */
  readonly defaultTimeout?: number | undefined;
  /** Skills folder. @default the setting `skillsFolder` */
  readonly skillsDir?: string | undefined;
}

/** A program that the orchestrator runs, with its state. */
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

/** What a task or skill of the orchestrator used. */
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

/** How a task or skill of the orchestrator ended. */
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

/** A saved program as the orchestrator presents it. */
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

/** What the orchestrator has and does now. */
export interface OrchestratorStats {
  readonly servers: number;
  readonly tools: number;
  readonly skills: number;
  readonly activeTasks: number;
  readonly maxConcurrentTasks: number;
}

const toError = ({ code, message, hint, file = "program", line, column }: RunError) => ({
  message,
  code,
  hint,
  stack: line === undefined ? undefined : `${code}: ${message}\n    at ${file}:${line}:${column}`,
});

/** An orchestrator does not wait for people: whoever has the answer resumes the run. */
const toPause = ({ runId, question }: RunResult): ExecutionResult["error"] => ({
  message: `Cannot end the task: the run "${runId}" waits for an answer to "${question?.text ?? ""}"`,
  code: "NOBODY_TO_ASK",
  hint: `Resume it: (await orchestrator.open()).resumeRun({ runId: "${runId}", answer })`,
});

/** A call that we refused was not made. */
const isMade = ({ status, code }: CallRecord): boolean =>
  status === "answered" || errorTable[code as ErrorCode]?.kind !== "user";

/** `names`: the name of a tool in programs, by its name on the wire. */
export const toExecutionResult = <Data = Json>(
  result: RunResult,
  names: ReadonlyMap<string, string>,
): ExecutionResult<Data> => {
  const { status, value, calls, statistics, meter } = result;
  const error =
    status === "paused" ? toPause(result) : result.error === undefined ? undefined : toError(result.error);
  return {
    success: status === "completed",
    data: value as Data | undefined,
    error,
    stats: {
      duration: Math.round(statistics.durationMs),
      tokensUsed: meter === undefined ? 0 : meter.programTokens + meter.returnedTokens,
      memoryUsed: statistics.memoryBytes ?? 0,
      toolsCalled: [...new Set(calls.filter(isMade).map(({ server, tool }) => `${server}.${tool}`))].map(
        (tool) => names.get(tool) ?? tool,
      ),
    },
  };
};
