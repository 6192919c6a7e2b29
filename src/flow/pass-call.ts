// The last step before a server, for calls of programs and direct calls: the cache, limits, retries, and the audit of each attempt.
import { createHmac, hash, randomBytes } from "node:crypto";
import {
  type AttemptFacts,
  type CallAudit,
  type CallEffect,
  type Configuration,
  finishInSlices,
  type JsonObject,
  type OfferedMethod,
  type Settings,
  stringifyInSteps,
  type ToolResult,
  toCoordinatorError,
} from "../contracts/index.js";
import { type Limiter, parseDuration } from "./limiter.js";
import { type Flow, openFlow } from "./open-flow.js";
import { openReadCache, type ReadCache } from "./read-cache.js";
import { readResultLimit } from "./read-rate-limit.js";

/** What a run adds to the limits of its calls. */
export interface RunFlow {
  readonly limiter: Limiter | undefined;
  /** How long the run has left. */
  readonly leftMs: () => number;
}

export interface PassedCall {
  readonly server: string;
  readonly tool: string;
  readonly fingerprint?: string | undefined;
  readonly method?: OfferedMethod | undefined;
  readonly effect: CallEffect;
  readonly arguments: JsonObject;
  /** The result is passed on exactly as the server wrote it. */
  readonly isForwarded?: boolean | undefined;
  readonly caller?: string | undefined;
  readonly run?: RunFlow | undefined;
  readonly audit: CallAudit | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called if the answer came from the cache. */
  readonly onCached?: (() => void) | undefined;
}

export interface HostFlow extends Flow {
  readonly cache: ReadCache<ToolResult>;
  /** How long answers of this tool are cached. Undefined: not at all. */
  readonly findTtl: (name: string) => number | undefined;
  /** Hashes the parts of a cache key, so that no arguments are stored. */
  readonly toKey: (parts: readonly unknown[]) => Promise<string>;
}

/** Shared by all runs of the host. */
export const openHostFlow = (
  { flow, cache }: Pick<Settings, "flow" | "cache">,
  matches: (selector: string, name: string) => boolean,
): HostFlow => {
  const times = Object.entries(cache).map(([selector, time]) => [selector, parseDuration(time)] as const);
  const secret = randomBytes(32);
  return {
    ...openFlow(flow, matches),
    cache: openReadCache(),
    findTtl: (name) => times.find(([selector]) => matches(selector, name))?.[1],
    toKey: async (parts) => {
      const text = await finishInSlices(stringifyInSteps(parts as never));
      return createHmac("sha256", secret).update(text).digest("base64url");
    },
  };
};

interface FlowHost {
  readonly configuration: Pick<Configuration, "servers" | "settings">;
  readonly flow: HostFlow;
}

const credentials = new WeakMap<object, string>();

/** Identifies the account that calls of a server use. Entries with the same address and the same secrets share it. */
const findCredential = ({ servers }: Pick<Configuration, "servers">, server: string): string => {
  const definition = servers.find(({ name }) => name === server);
  if (definition === undefined || definition.target.kind === "in-process") return server;
  const { target } = definition;
  let found = credentials.get(target);
  if (found === undefined) {
    // Without a header, the account is that of a sign-in, and each entry has its own.
    const isNamed = target.kind !== "stdio" && Object.keys(target.headers).length === 0;
    found = hash("sha256", JSON.stringify([target, isNamed ? server : ""]));
    credentials.set(target, found);
  }
  return found;
};

/** About the length of its JSON text, without writing it. Not recursive: a server chooses the depth. */
const measureValue = (value: unknown): number => {
  let bytes = 0;
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next === "string") bytes += next.length;
    else if (typeof next !== "object" || next === null) bytes += 4;
    else
      for (const [key, inner] of Object.entries(next)) {
        bytes += key.length + 3;
        pending.push(inner);
      }
  }
  return bytes;
};

const measureResult = (result: ToolResult): number => result.large?.length ?? measureValue(result);

const toAttemptFacts = (result: ToolResult): AttemptFacts => ({
  outcome: result.isError === true ? "failed" : result.input === undefined ? "answered" : "input required",
  answerBytes: measureResult(result),
});

const passLimits = async (
  host: FlowHost,
  { server, tool, effect, caller, run, audit, signal }: PassedCall,
  make: () => Promise<ToolResult>,
): Promise<ToolResult> => {
  const startedAt = performance.now();
  const { callTimeoutMs } = host.configuration.settings.timeouts;
  const leftMs = run?.leftMs ?? (() => callTimeoutMs - (performance.now() - startedAt));
  const credential = findCredential(host.configuration, server);
  let isTried = false;
  try {
    return await host.flow.pass(
      { server, tool, effect, credential, caller, run: run?.limiter, leftMs, signal },
      () => {
        isTried = true;
        return audit === undefined ? make() : audit.attempt(make, toAttemptFacts);
      },
      readResultLimit,
    );
  } catch (thrown) {
    const { code } = toCoordinatorError(thrown);
    // It was allowed, and no request says what became of it.
    if (!isTried && (code === "QUOTA_EXCEEDED" || code === "RATE_LIMITED"))
      await audit?.decide({ decision: "refused", code }).catch(() => {});
    throw thrown;
  }
};

/** Errors, large results and unfinished results are never cached. */
const isCacheable = (result: ToolResult): boolean =>
  result.isError !== true &&
  result.large === undefined &&
  result.input === undefined &&
  (result as { readonly resultType?: unknown }).resultType !== "input_required";

/** Methods whose results state their own lifetime in the 2026 protocol. */
const methodsWithTtl: ReadonlySet<OfferedMethod> = new Set([
  "resources/read",
  "resources/list",
  "resources/templates/list",
]);

/** Calls a server within the limits, or answers from the cache. */
export const passCall = async (
  host: FlowHost,
  call: PassedCall,
  make: () => Promise<ToolResult>,
): Promise<ToolResult> => {
  const { server, tool, effect, caller, fingerprint, method, isForwarded = false } = call;
  const pass = () => passLimits(host, call, make);
  // A subscription waits for notifications, not for an answer, so limits and cache do not apply.
  if (method === "resources/watch") return call.audit?.attempt(make, toAttemptFacts) ?? make();
  const { cache, findTtl, toKey } = host.flow;
  if (effect !== "read") return cache.write(server, pass);
  const configured = findTtl(`${server}.${tool}`);
  if (isForwarded && method !== undefined) return pass();
  if (configured === undefined && (method === undefined || !methodsWithTtl.has(method))) return pass();
  const ttlMs = (result: ToolResult): number | undefined =>
    isCacheable(result) ? (configured ?? result.ttlMs) : undefined;
  const credential = findCredential(host.configuration, server);
  const version = [fingerprint ?? null, tool, isForwarded];
  const key = await toKey([caller ?? null, server, credential, ...version, call.arguments]);
  const { result, isCached } = await cache.read({ server, key, ttlMs, measure: measureResult }, pass);
  if (isCached) {
    call.onCached?.();
    await call.audit?.decide({ decision: "cached" });
  }
  return result;
};
