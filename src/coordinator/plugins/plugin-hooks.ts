// The hooks of all plugins, in order, with a timeout. A hook that fails refuses the run or call.
import {
  CoordinatorError,
  type ErrorCode,
  type HookAnswer,
  type Hooks,
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
import { readMessage } from "../../upstream/index.js";
import type { AroundCall } from "./call-hooks.js";

interface HookTimeout {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
}

/** What plugins do to runs and calls. Unused hooks are undefined and cost nothing. */
export interface PluginHooks {
  /** The run as plugins changed it. Throws RUN_VETOED. */
  readonly beforeRun?:
    | ((runId: string, request: RunRequest, waiting: HookTimeout) => Promise<RunRequest>)
    | undefined;
  /** The result as plugins changed it. Never throws: a withheld result becomes a failed one. */
  readonly afterRun?:
    | ((request: RunRequest, result: RunResult, waiting: HookTimeout) => Promise<RunResult>)
    | undefined;
  readonly aroundCall?: AroundCall | undefined;
}

export interface HookCall extends HookTimeout {
  readonly plugin: string;
  /** `Cannot call "a.b"`. */
  readonly attempt: string;
  readonly code: ErrorCode;
  /** Fields that the hook may return besides a veto. */
  readonly fields: readonly string[];
}

/** Stands for a hook that timed out. */
const late = Symbol("late");

const hookNames = ["beforeRun", "afterRun", "beforeCall", "afterCall"] as const;

/** Throws USAGE for a value that is not a plugin. */
export const checkPlugins = (plugins: readonly Plugin[]): void => {
  for (const plugin of plugins) {
    if (typeof plugin?.name !== "string" || plugin.name.trim() === "")
      throw new CoordinatorError("USAGE", "Cannot use a plugin: it has no name", {
        hint: 'Give it one: { name: "audit", … }.',
      });
    const wrong = hookNames.find((name) => !["undefined", "function"].includes(typeof plugin[name]));
    if (wrong !== undefined)
      throw new CoordinatorError(
        "USAGE",
        `Cannot use the plugin "${plugin.name}": its "${wrong}" is a ${typeof plugin[wrong]}, expected a function`,
        { hint: "Pass a function, or omit it." },
      );
  }
};

/** The plugins that have this hook. */
export const listHooks = <Name extends keyof Hooks>(
  plugins: readonly Plugin[],
  name: Name,
): readonly { readonly plugin: string; readonly hook: NonNullable<Hooks[Name]> }[] =>
  plugins.flatMap((plugin) => {
    const hook = plugin[name];
    return hook === undefined ? [] : [{ plugin: plugin.name, hook }];
  });

/** Runs one hook. A hook that throws, vetoes or times out refuses with its plugin's name. */
export const askHook = async <Answer extends object>(
  hook: () => HookAnswer<Answer>,
  call: HookCall,
): Promise<Exclude<Answer, { readonly veto: string }> | undefined> => {
  let answer: unknown;
  try {
    answer = await withTimeout(async () => hook(), call);
  } catch (thrown) {
    if (thrown instanceof CoordinatorError && thrown.code === "RUN_CANCELLED") throw thrown;
    throw refuse(call, `failed: ${readMessage(thrown)}`);
  }
  if (answer === late) throw refuse(call, `did not answer within ${call.timeoutMs} ms`);
  if (answer === undefined || answer === null) return undefined;
  if (typeof answer !== "object") throw refuse(call, `answered with a ${typeof answer}, expected an object`);
  // A misspelled veto must not let a call through.
  const odd = Object.keys(answer).find((key) => key !== "veto" && !call.fields.includes(key));
  if (odd !== undefined)
    throw refuse(
      call,
      `answered with "${odd.slice(0, 80)}", expected ${call.fields.map((field) => `"${field}"`).join(", ")} or "veto"`,
    );
  const { veto } = answer as { readonly veto?: unknown };
  if (veto === undefined) return answer as Exclude<Answer, { readonly veto: string }>;
  if (typeof veto !== "string" || veto.trim() === "") throw refuse(call, "refused it");
  const reason = veto.trim().replace(/\.$/, "");
  throw new CoordinatorError(call.code, `${call.attempt}: ${reason}`, {
    details: { plugin: call.plugin },
  });
};

export const refuse = ({ plugin, attempt, code }: HookCall, state: string): CoordinatorError =>
  new CoordinatorError(code, `${attempt}: the plugin "${plugin}" ${state}`, { details: { plugin } });

const withTimeout = async <Value>(
  work: () => Promise<Value>,
  { signal, timeoutMs, attempt }: HookCall,
): Promise<Value | typeof late> => {
  if (signal?.aborted === true) throw cancelled(attempt);
  const { promise: over, resolve, reject } = Promise.withResolvers<typeof late>();
  const onAbort = (): void => reject(cancelled(attempt));
  const onTime = (): void => resolve(late);
  signal?.addEventListener("abort", onAbort, { once: true });
  const timer = timeoutMs === undefined ? undefined : setTimeout(onTime, timeoutMs);
  try {
    return await Promise.race([work(), over]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  }
};

const cancelled = (attempt: string): CoordinatorError =>
  new CoordinatorError("RUN_CANCELLED", `${attempt}: the run was cancelled`);

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
  attempt: "Cannot return the result",
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
      const call = { ...waiting, plugin, ...running } as const;
      const facts = toFacts(runId, request, workspace);
      const change = await askHook(() => hook(facts), call);
      if (change === undefined) continue;
      const { code = request.code, servers = request.servers, limits } = change;
      if (typeof code !== "string") throw refuse(call, "returned a program that is not a string");
      request = {
        ...request,
        code,
        servers,
        limits: limits ? { ...request.limits, ...limits } : request.limits,
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
      const call = { ...waiting, plugin, ...afterRunHook } as const;
      const facts = {
        ...toFacts(given.runId, request, workspace),
        result: toBigIntegers(result) as RunResult,
      };
      try {
        const change = await askHook(() => hook(facts), call);
        if (change !== undefined) result = applyChange(result, change, call);
      } catch (thrown) {
        // The other plugins are still notified.
        result = withhold(result, toCoordinatorError(thrown));
      }
    }
    return result;
  };
};

const applyChange = (result: RunResult, change: ResultChange, call: HookCall): RunResult => {
  const { value, logs, errorMessage } = change;
  const read = (part: string, given: unknown): Json => {
    const copy = toJson(given);
    if (copy.problem === undefined) return copy.value;
    throw refuse(call, `returned a ${part} that is not JSON: ${copy.problem}`);
  };
  return {
    ...result,
    value: value === undefined ? result.value : read("value", value),
    logs: logs === undefined ? result.logs : toLines(read("list of lines", logs), call),
    error:
      errorMessage === undefined || result.error === undefined
        ? result.error
        : { ...result.error, message: String(errorMessage) },
  };
};

const toLines = (given: Json, call: HookCall): RunResult["logs"] => {
  const isLine = (line: Json): boolean => {
    const { level, text } = (line ?? {}) as { readonly level?: unknown; readonly text?: unknown };
    return typeof level === "string" && typeof text === "string";
  };
  if (Array.isArray(given) && given.every(isLine)) return given as unknown as RunResult["logs"];
  throw refuse(call, 'returned lines that are not a list of { "level", "text" }');
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
