// Calls one tool on its server or in a simulation, and learns the shape of the answer.
import type { AskedOptions } from "../../bridge/index.js";
import { simulateAnswer } from "../../catalog/index.js";
import {
  type CallAudit,
  CoordinatorError,
  type JsonObject,
  type Tool,
  type ToolProgress,
  type ToolResult,
  toCoordinatorError,
  toEffect,
} from "../../contracts/index.js";
import { passCall, type RunFlow } from "../../flow/index.js";
import type { Host } from "../host/host.js";
import type { CallOrigin } from "../plugins/call-hooks.js";
import { hideMessages } from "../policies/hide-messages.js";
import { openPrivacy } from "../policies/open-privacy.js";

export interface InvokeOptions extends Omit<AskedOptions, "onProgress"> {
  /** Records every attempt. It exists only for a call that was decided on. */
  readonly audit: CallAudit | undefined;
  /** The authenticated caller, for the caller's limits. */
  readonly caller?: string | undefined;
  readonly run?: RunFlow | undefined;
  /** The answer was known. */
  readonly onCached?: (() => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Answer with generated values that fit the tool's types, without calling the server. */
  readonly isSimulated?: boolean | undefined;
  /** The run that makes the call. */
  readonly origin?: CallOrigin | undefined;
  readonly onProgress?: ((progress: ToolProgress) => void) | undefined;
  /** A guardrail applies to an answer for the server and does not block it. */
  readonly onWarning?: ((text: string) => void) | undefined;
  /** Sends the call on a connection of its own. @default the shared connection of the server */
  readonly send?: ((given: JsonObject, signal: AbortSignal | undefined) => Promise<ToolResult>) | undefined;
}

const nobodyToAsk = ({ server, name }: Tool): CoordinatorError =>
  new CoordinatorError(
    "NOBODY_TO_ASK",
    `Cannot call "${server}.${name}": the server asks for input, and nobody can be asked here`,
    { hint: "Call it in a program: a run can wait for the answer." },
  );

/** The beginning of a large result is enough to learn its shape. */
const toLearnable = async (result: ToolResult): Promise<ToolResult> => {
  const { large } = result;
  if (large === undefined || result.isError === true) return result;
  return { content: large.hasStructure ? [{ type: "text", text: large.head }] : await large.readBlocks() };
};

/** The server asks for more before it answers. */
const isUnfinished = (result: ToolResult): boolean =>
  (result as { readonly resultType?: unknown }).resultType === "input_required";

/** Drops the time to live, which only the cache needs. */
const withoutTtl = (result: ToolResult): ToolResult => {
  const { ttlMs: _, ...rest } = result;
  return rest;
};

export const invokeTool = async (
  host: Host,
  tool: Tool,
  value: JsonObject,
  options: InvokeOptions,
): Promise<ToolResult> => {
  host.counters.calls++;
  if (options.isSimulated === true) {
    return simulateAnswer({ tool: await host.shapes.show(tool), arguments: value });
  }
  const { signal, origin, onInput, onSignIn, send, audit, caller, run, onCached } = options;
  // The direct surface replaces personal values itself, because servers also send messages between calls.
  const privacy = send === undefined ? openPrivacy(host, origin ?? host.requester) : undefined;
  const { hideProgress, hideAsker, redeemInput, settle } = hideMessages(privacy, tool, options);
  const onProgress = hideProgress(options.onProgress);
  const asker = hideAsker(options.asker);
  const make = async (value: JsonObject): Promise<ToolResult> => {
    host.uses.note(tool);
    // The last step before the server: everything before it, hooks included, sees tokens.
    const given = (await privacy?.redeem(tool, value)) ?? value;
    const { server, name, fingerprint, method } = tool;
    const facts = { server, tool: name, fingerprint, method, effect: toEffect(tool), arguments: given };
    const passed = { ...facts, audit, caller, run, signal, onCached };
    if (send !== undefined)
      return passCall(host, { ...passed, isForwarded: true }, () => send(given, signal));
    let input = options.input === undefined ? undefined : await onInput?.(options.input, 0);
    const callOnce = async (): Promise<ToolResult> => {
      const since = Date.now();
      try {
        const request = {
          server,
          tool: name,
          method,
          arguments: given,
          isSession: origin?.session !== undefined,
          input: await redeemInput(input),
          asker,
          signal,
          onProgress,
        };
        // A call that continues is another one than the same call from the beginning.
        const continued =
          input === undefined ? passed : { ...passed, method: undefined, effect: "write" as const };
        return await passCall(host, continued, () => host.upstreams.call(request));
      } catch (thrown) {
        const error = toCoordinatorError(thrown);
        if (error.code !== "SIGN_IN_NEEDED" || onSignIn === undefined) throw thrown;
        await onSignIn(error, since, input);
        return callOnce();
      }
    };
    for (let round = 1; ; round++) {
      const answer = await callOnce();
      const result = (await privacy?.hideResult(tool, answer)) ?? answer;
      if (result.input === undefined) return method === undefined ? result : withoutTtl(result);
      if (onInput === undefined) throw nobodyToAsk(tool);
      input = await onInput({ ...result.input, responses: {} }, round);
    }
  };
  const makeHidden = async (given: JsonObject): Promise<ToolResult> => {
    try {
      return await make(given);
    } catch (thrown) {
      throw (await privacy?.hideError(tool, thrown)) ?? thrown;
    } finally {
      await settle();
    }
  };
  const around = host.plugins?.aroundCall;
  const { timeouts, workspace } = host.configuration.settings;
  const result =
    around === undefined
      ? await makeHidden(value)
      : await around(
          {
            tool,
            arguments: value,
            workspace,
            signal: signal ?? new AbortController().signal,
            origin,
            // A run has its own timeout. A call without a run needs one.
            timeoutMs: origin === undefined ? timeouts.callTimeoutMs : undefined,
          },
          makeHidden,
        );
  if (!isUnfinished(result)) host.shapes.observe(tool, await toLearnable(result));
  return result;
};
