// Runs Python programs against a small host, for the tests of the Python executors.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import type {
  Executor,
  GuestAnswer,
  GuestCall,
  GuestJob,
  GuestOutcome,
  Limits,
} from "../../src/contracts/index.js";
import { defaultLimits } from "../../src/contracts/index.js";
import { openContainerExecutor } from "../../src/executors/engines/container/container.js";
import { openPythonExecutor } from "../../src/executors/engines/python/python.js";
import { openPythonLiteExecutor } from "../../src/executors/engines/python-lite.js";
import { findContainerObstacle } from "../support/container-image.js";

export interface PythonSubject {
  readonly name: string;
  readonly executor: Executor;
  /** Why it cannot run here. */
  readonly reason: string | undefined;
}

/** Every executor that runs Python programs. They are closed after the tests. */
export const openPythonSubjects = async (): Promise<readonly PythonSubject[]> => {
  const cacheFolder = mkdtempSync(join(tmpdir(), "mcp-python-lite-"));
  const executors = {
    python: openPythonExecutor({ limits: defaultLimits }),
    "python-lite": openPythonLiteExecutor({ limits: defaultLimits, cacheFolder }),
    container: openContainerExecutor({ limits: defaultLimits }),
  };
  afterAll(async () => {
    await Promise.all(Object.values(executors).map((executor) => executor.close()));
    rmSync(cacheFolder, { recursive: true, force: true });
  });
  const containerObstacle = await findContainerObstacle("python");
  return Promise.all(
    Object.entries(executors).map(async ([name, executor]) => {
      const report = await executor.inspect();
      const unavailable = report.isAvailable ? undefined : report.reason;
      return { name, executor, reason: name === "container" ? containerObstacle : unavailable };
    }),
  );
};

export interface PythonRun {
  readonly outcome: GuestOutcome;
  readonly calls: readonly GuestCall[];
  /** How many calls ran concurrently. */
  readonly maxAtOnce: number;
  /** The value, or what happened instead. */
  readonly value: unknown;
}

export interface PythonRunOptions {
  readonly executor: Executor;
  readonly code: string;
  readonly limits?: Partial<Limits>;
  readonly session?: string;
  readonly libraries?: readonly string[];
  readonly files?: GuestJob["files"];
  readonly globals?: GuestJob["globals"];
  /** Calls are answered once this many wait. */
  readonly company?: number;
}

/** `server.echo` answers with its one argument or all of them; `server.fail` fails. Each call takes a moment. */
export const runPython = async (options: PythonRunOptions): Promise<PythonRun> => {
  const { executor, code, limits = {}, session, libraries, files = [], company = 1 } = options;
  const globals = options.globals ?? { server: "server" };
  const calls: GuestCall[] = [];
  let underWay = 0;
  let maxAtOnce = 0;
  const call = async (request: GuestCall, signal: AbortSignal): Promise<GuestAnswer> => {
    calls.push(request);
    maxAtOnce = Math.max(maxAtOnce, ++underWay);
    for (let turn = 0; turn === 0 || (maxAtOnce < company && !signal.aborted); turn++)
      await new Promise((resolve) => setTimeout(resolve, 10));
    underWay--;
    if (request.tool === "fail")
      return { status: "failed", name: "ToolError", message: "quota exceeded", code: "TOOL_FAILED" };
    const values = JSON.parse(request.argumentsJson) as unknown[];
    const body = JSON.stringify(values.length === 1 ? values[0] : values);
    return { status: "answered", format: "json", body };
  };
  const outcome = await executor.run({
    language: "python",
    code,
    files,
    globals,
    host: { call },
    limits: { ...defaultLimits, ...limits },
    ...(session === undefined ? {} : { session }),
    ...(libraries === undefined ? {} : { libraries }),
  });
  return { outcome, calls, maxAtOnce, value: readValue(outcome) };
};

const readValue = (outcome: GuestOutcome): unknown => {
  if (outcome.status === "completed")
    return outcome.valueJson === undefined ? undefined : JSON.parse(outcome.valueJson);
  return outcome.status === "failed" ? `${outcome.failure.name}: ${outcome.failure.message}` : outcome.reason;
};
