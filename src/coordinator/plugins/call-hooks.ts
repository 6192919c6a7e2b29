// Runs plugin hooks around one tool call. A hook can change, answer or refuse it, and change the answer.
import { unwrapAnswer } from "../../bridge/index.js";
import { validateArguments } from "../../catalog/index.js";
import {
  type CallFacts,
  CoordinatorError,
  type EndedCallFacts,
  type Json,
  type JsonObject,
  type Plugin,
  readJson,
  type Tool,
  type ToolResult,
  toBigIntegers,
  toCoordinatorError,
  toJson,
} from "../../contracts/index.js";
import { toToolResult } from "../../upstream/index.js";
import { askHook, type HookCall, listHooks, refuse } from "./plugin-hooks.js";

/** The run that makes the call. Absent for a call without a program. */
export interface CallOrigin {
  readonly runId: string;
  readonly session?: string | undefined;
  readonly workspace?: string | undefined;
}

export interface HookedCall {
  readonly tool: Tool;
  readonly arguments: JsonObject;
  readonly origin?: CallOrigin | undefined;
  readonly workspace: string;
  readonly signal: AbortSignal;
  /** Timeout of one hook. Without it, only the signal ends the hook. */
  readonly timeoutMs?: number | undefined;
}

/** Makes a call through the plugins. `make` calls the server. */
export type AroundCall = (
  call: HookedCall,
  make: (given: JsonObject) => Promise<ToolResult>,
) => Promise<ToolResult>;

/** The largest answer that a hook may give. */
const maxBytes = 512 * 1024 * 1024;

type Ended = Pick<EndedCallFacts, "result" | "answer" | "error">;

/** Returns undefined if no plugin hooks into calls. */
export const openCallHooks = (plugins: readonly Plugin[]): AroundCall | undefined => {
  const before = listHooks(plugins, "beforeCall");
  const after = listHooks(plugins, "afterCall");
  if (before.length + after.length === 0) return undefined;
  return async (call, make) => {
    const { tool, timeoutMs, signal } = call;
    const name = `${tool.server}.${tool.name}`;
    const hookCall = {
      signal,
      timeoutMs,
      attempt: `Cannot call "${name}"`,
      code: "CALL_VETOED",
      fields: ["arguments", "answer"],
    } as const;
    let value = call.arguments;
    let inPlace: ToolResult | undefined;
    for (const { plugin, hook } of before) {
      const facts = toFacts(call, value);
      const change = await askHook(() => hook(facts), { ...hookCall, plugin });
      if (change === undefined) continue;
      if ("answer" in change) {
        inPlace = toAnswer(name, change.answer, { ...hookCall, plugin });
        break;
      }
      if ("arguments" in change) value = toArguments(tool, change.arguments, { ...hookCall, plugin });
    }
    const startedAt = performance.now();
    if (after.length === 0) return inPlace ?? make(value);
    let failure: CoordinatorError | undefined;
    let result: ToolResult | undefined = inPlace;
    try {
      result ??= await make(value);
    } catch (thrown) {
      failure = toCoordinatorError(thrown);
      // Nobody waits for it any longer.
      if (failure.code === "RUN_CANCELLED") throw failure;
    }
    const durationMs = performance.now() - startedAt;
    const withheld = {
      ...hookCall,
      attempt: `Cannot take the answer of "${name}"`,
      code: "ANSWER_VETOED",
      fields: ["answer"],
    } as const;
    for (const { plugin, hook } of after) {
      const facts = { ...toFacts(call, value), durationMs, ...(await toEnded(result, failure)) };
      const change = await askHook(() => hook(facts), { ...withheld, plugin });
      if (change === undefined || !("answer" in change)) continue;
      result = toAnswer(name, change.answer, { ...withheld, plugin });
      failure = undefined;
    }
    if (result !== undefined && failure === undefined) return result;
    throw failure ?? new CoordinatorError("INTERNAL", `Cannot call "${name}": it has no result`);
  };
};

/** Passes copies, so that changes in place have no effect. */
const toFacts = ({ tool, origin, workspace, signal }: HookedCall, value: JsonObject): CallFacts => ({
  server: tool.server,
  tool: tool.name,
  arguments: toBigIntegers(value) as JsonObject,
  isReadOnly: tool.isReadOnly,
  isDestructive: tool.isDestructive,
  runId: origin?.runId,
  session: origin?.session,
  workspace: origin?.workspace ?? workspace,
  signal,
});

const toEnded = async (
  result: ToolResult | undefined,
  failure: CoordinatorError | undefined,
): Promise<Ended> => {
  if (result === undefined || failure !== undefined)
    return { error: { code: failure?.code ?? "INTERNAL", message: failure?.message ?? "" } };
  // A copy, because a JavaScript function may change it.
  const copy = toBigIntegers((await result.large?.parse()) ?? result) as ToolResult;
  const answer = await unwrapAnswer(result, false);
  if (answer.status === "failed")
    return { result: copy, error: { code: answer.code, message: answer.message } };
  return { result: copy, answer: answer.format === "text" ? answer.body : await parse(answer.body) };
};

const parse = async (body: string): Promise<Json> => {
  try {
    return toBigIntegers(await readJson(body)) as Json;
  } catch {
    return body;
  }
};

const toAnswer = (name: string, answer: unknown, call: HookCall): ToolResult => {
  try {
    return toToolResult(name, answer, maxBytes);
  } catch (thrown) {
    throw refuse(call, `returned an answer that is not JSON: ${toCoordinatorError(thrown).message}`);
  }
};

const toArguments = (tool: Tool, given: unknown, call: HookCall): JsonObject => {
  const { value, problem } = { value: undefined, problem: undefined, ...toJson(given) };
  if (value === undefined) throw refuse(call, `returned arguments that are not JSON: ${problem}`);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw refuse(call, "returned arguments that are not an object");
  try {
    validateArguments(tool, value as JsonObject);
  } catch (thrown) {
    throw refuse(call, `returned arguments that do not fit: ${toCoordinatorError(thrown).message}`);
  }
  return value as JsonObject;
};
