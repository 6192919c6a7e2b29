// The hooks of all plugins, in order, with a timeout. A hook that fails refuses the run or call.
import {
  CoordinatorError,
  type ErrorCode,
  type HookAnswer,
  type Hooks,
  type Plugin,
  type RunRequest,
  type RunResult,
} from "../../contracts/index.js";
import { readMessage } from "../../upstream/index.js";
import type { AroundCall } from "./call-hooks.js";

export interface HookTimeout {
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

export interface Asking extends HookTimeout {
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
  asking: Asking,
): Promise<Exclude<Answer, { readonly veto: string }> | undefined> => {
  let answer: unknown;
  try {
    answer = await withTimeout(async () => hook(), asking);
  } catch (thrown) {
    if (thrown instanceof CoordinatorError && thrown.code === "RUN_CANCELLED") throw thrown;
    throw refuse(asking, `failed: ${readMessage(thrown)}`);
  }
  if (answer === late) throw refuse(asking, `did not answer within ${asking.timeoutMs} ms`);
  if (answer === undefined || answer === null) return undefined;
  if (typeof answer !== "object")
    throw refuse(asking, `answered with a ${typeof answer}, expected an object`);
  // A misspelled veto must not let a call through.
  const odd = Object.keys(answer).find((key) => key !== "veto" && !asking.fields.includes(key));
  if (odd !== undefined)
    throw refuse(
      asking,
      `answered with "${odd.slice(0, 80)}", expected ${asking.fields.map((field) => `"${field}"`).join(", ")} or "veto"`,
    );
  const { veto } = answer as { readonly veto?: unknown };
  if (veto === undefined) return answer as Exclude<Answer, { readonly veto: string }>;
  if (typeof veto !== "string" || veto.trim() === "") throw refuse(asking, "refused it");
  const reason = veto.trim().replace(/\.$/, "");
  throw new CoordinatorError(asking.code, `${asking.attempt}: ${reason}`, {
    details: { plugin: asking.plugin },
  });
};

export const refuse = ({ plugin, attempt, code }: Asking, state: string): CoordinatorError =>
  new CoordinatorError(code, `${attempt}: the plugin "${plugin}" ${state}`, { details: { plugin } });

const withTimeout = async <Value>(
  work: () => Promise<Value>,
  { signal, timeoutMs, attempt }: Asking,
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
