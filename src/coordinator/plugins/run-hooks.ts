// Runs plugin hooks before and after a run. A hook can change the program, refuse the run, and change the result.
import {
  type CoordinatorError,
  type Json,
  type Plugin,
  type ResultChange,
  type RunFacts,
  type RunRequest,
  type RunResult,
  toBigIntegers,
  toCoordinatorError,
  toJson,
} from "../../contracts/index.js";
import { type Asking, askHook, listHooks, type PluginHooks, refuse } from "./plugin-hooks.js";

const toFacts = (runId: string, request: RunRequest, workspace: string): RunFacts => {
  const {
    code,
    language = "typescript",
    mode = "run",
    session,
    servers,
    profile,
    limits,
    description,
  } = request;
  return {
    runId,
    code,
    language,
    mode,
    workspace: request.workspace ?? workspace,
    session,
    servers: servers === undefined ? undefined : [...servers],
    profile,
    limits: limits === undefined ? undefined : { ...limits },
    description,
  };
};

const running = {
  attempt: "Cannot run the program",
  code: "RUN_VETOED",
  fields: ["code", "servers", "limits"],
} as const;

const afterRunHook = {
  attempt: "Cannot tell the result",
  code: "RUN_VETOED",
  fields: ["value", "logs", "errorMessage"],
} as const;

export const openBeforeRun = (
  plugins: readonly Plugin[],
  workspace: string,
): NonNullable<PluginHooks["beforeRun"]> | undefined => {
  const hooks = listHooks(plugins, "beforeRun");
  if (hooks.length === 0) return undefined;
  return async (runId, original, waiting) => {
    let request = original;
    for (const { plugin, hook } of hooks) {
      const asking = { ...waiting, plugin, ...running } as const;
      const facts = toFacts(runId, request, workspace);
      const change = await askHook(() => hook(facts), asking);
      if (change === undefined) continue;
      const { code, servers, limits } = change;
      if (code !== undefined && typeof code !== "string")
        throw refuse(asking, "returned a program that is not a string");
      request = {
        ...request,
        ...(code === undefined ? {} : { code }),
        ...(servers === undefined ? {} : { servers }),
        ...(limits === undefined ? {} : { limits: { ...request.limits, ...limits } }),
      };
    }
    return request;
  };
};

export const openAfterRun = (
  plugins: readonly Plugin[],
  workspace: string,
): NonNullable<PluginHooks["afterRun"]> | undefined => {
  const hooks = listHooks(plugins, "afterRun");
  if (hooks.length === 0) return undefined;
  return async (request, given, waiting) => {
    let result = given;
    for (const { plugin, hook } of hooks) {
      const asking = { ...waiting, plugin, ...afterRunHook } as const;
      const facts = {
        ...toFacts(given.runId, request, workspace),
        result: toBigIntegers(result) as RunResult,
      };
      try {
        const change = await askHook(() => hook(facts), asking);
        if (change !== undefined) result = applyChange(result, change, asking);
      } catch (thrown) {
        // The other plugins are still notified.
        result = withhold(result, toCoordinatorError(thrown));
      }
    }
    return result;
  };
};

const applyChange = (result: RunResult, change: ResultChange, asking: Asking): RunResult => {
  const { value, logs, errorMessage } = change;
  const read = (part: string, given: unknown): Json => {
    const copy = toJson(given);
    if (copy.problem === undefined) return copy.value;
    throw refuse(asking, `returned a ${part} that is not JSON: ${copy.problem}`);
  };
  return {
    ...result,
    ...(value === undefined ? {} : { value: read("value", value) }),
    ...(logs === undefined ? {} : { logs: toLines(read("list of lines", logs), asking) }),
    ...(errorMessage === undefined || result.error === undefined
      ? {}
      : { error: { ...result.error, message: String(errorMessage) } }),
  };
};

const toLines = (given: Json, asking: Asking): RunResult["logs"] => {
  const isLine = (line: Json): boolean => {
    const { level, text } = (line ?? {}) as { readonly level?: unknown; readonly text?: unknown };
    return typeof level === "string" && typeof text === "string";
  };
  if (Array.isArray(given) && given.every(isLine)) return given as unknown as RunResult["logs"];
  throw refuse(asking, 'returned lines that are not a list of { "level", "text" }');
};

/** Keeps the record of the calls and removes the output. */
const withhold = (
  { runId, calls, durationMs, statistics, isResumable }: RunResult,
  { code, kind, message, hint }: CoordinatorError,
): RunResult => ({
  runId,
  status: "failed",
  logs: [],
  error: { code, kind, message, hint },
  calls,
  isResumable,
  durationMs,
  statistics,
});
