// An in-process server: calls registered functions with the same limits as any other server.
import { homedir, tmpdir } from "node:os";
import {
  CoordinatorError,
  type HostFunction,
  type InProcessTarget,
  isToolResult,
  maxTimerMs,
  type ServerDefinition,
  type ToolResult,
  toBigIntegers,
  toJson,
  type UpstreamTimeouts,
  withinTime,
} from "../../contracts/index.js";
import type { Upstream } from "../upstream.js";
import type { UpstreamCall } from "../upstream-requests.js";

export interface OpenInProcessOptions {
  readonly definition: ServerDefinition & { readonly target: InProcessTarget };
  readonly timeouts: UpstreamTimeouts;
  readonly maxAnswerBytes: number;
}

export const openInProcess = ({
  definition: { name: server, target },
  timeouts,
  maxAnswerBytes,
}: OpenInProcessOptions): Pick<
  Upstream,
  "status" | "peek" | "isStale" | "connect" | "list" | "renew" | "call" | "close"
> => {
  const { listing, functions } = target;
  const closing = new AbortController();
  return {
    status: { state: "ready", listing, startedCount: 0 },
    peek: async () => listing,
    isStale: async () => false,
    connect: () => {},
    list: async () => listing,
    renew: async () => {},
    call: async (request) => {
      const { tool } = request;
      const found = functions.get(tool);
      if (found === undefined)
        throw new CoordinatorError(
          "TOOL_UNKNOWN",
          `Cannot call "${tool}" of "${server}": it has no such tool`,
        );
      return callFunction(found, request, { server, timeouts, maxAnswerBytes, closing: closing.signal });
    },
    close: async () => {
      closing.abort(new CoordinatorError("UPSTREAM_CLOSED", `Cannot use "${server}": it was closed`));
    },
  };
};

interface CallSurroundings {
  readonly server: string;
  readonly timeouts: UpstreamTimeouts;
  readonly maxAnswerBytes: number;
  readonly closing: AbortSignal;
}

const callFunction = async (
  { run, validate, validateAnswer, timeoutMs: ownTimeoutMs }: HostFunction,
  { tool, arguments: given, signal, timeoutMs, onProgress }: UpstreamCall,
  { server, timeouts, maxAnswerBytes, closing }: CallSurroundings,
): Promise<ToolResult> => {
  const attempt = `Cannot call "${tool}" of "${server}"`;
  const limitMs = Math.min(timeoutMs ?? ownTimeoutMs ?? timeouts.callTimeoutMs, maxTimerMs);
  const ending = new AbortController();
  const end = AbortSignal.any([ending.signal, closing, ...(signal === undefined ? [] : [signal])]);
  const work = async (): Promise<ToolResult> => {
    // Copy, so that the function cannot change the values of the journal or a hook.
    const value = await validate(toBigIntegers(given));
    let answer: unknown;
    try {
      answer = await run(value, {
        signal: end,
        progress: (message) => {
          if (!end.aborted) onProgress?.({ server, tool, message: String(message) });
        },
        server,
        tool,
      });
    } catch (thrown) {
      return toFailedResult(thrown);
    }
    const name = `${server}.${tool}`;
    const result = toToolResult(name, answer, maxAnswerBytes);
    if (validateAnswer === undefined || result.isError === true) return result;
    const { structuredContent, ...others } = result;
    // A schema may drop or add fields, so its output is the answer.
    const checked = toToolResult(name, await validateAnswer(structuredContent), maxAnswerBytes);
    return isToolResult(answer) ? { ...others, structuredContent: checked.structuredContent } : checked;
  };
  try {
    signal?.throwIfAborted();
    closing.throwIfAborted();
    return await withinTime(work(), { timeMs: limitMs, signal: end });
  } catch (thrown) {
    if (signal?.aborted) throw new CoordinatorError("RUN_CANCELLED", `${attempt}: the run was cancelled`);
    if (thrown instanceof CoordinatorError) throw thrown;
    if ((thrown as { readonly code?: unknown }).code === "REQUEST_TIMEOUT")
      throw new CoordinatorError("UPSTREAM_TIMEOUT", `${attempt}: no answer within ${limitMs} ms`, {
        hint: "Try again, or raise the tool's timeoutMs.",
      });
    throw new CoordinatorError("INTERNAL", `${attempt}: an internal error occurred`, { cause: thrown });
  } finally {
    // Stops a function that is still running.
    ending.abort();
  }
};

const maxMessageLength = 20_000;

/** Converts a JSON value, or content created with `toolResult`. Throws for anything else. */
export const toToolResult = (name: string, answer: unknown, maxBytes: number): ToolResult => {
  const copy = toJson(answer ?? null, maxBytes);
  const attempt = `Cannot take the answer of "${name}"`;
  if (copy.problem !== undefined)
    throw copy.isTooLarge
      ? new CoordinatorError(
          "LIMIT_ANSWER",
          `${attempt}: it has more than ${maxBytes} bytes, the limit "answerBytes"`,
        )
      : new CoordinatorError("RESULT_INVALID", `${attempt}: ${copy.problem}, expected JSON`, {
          hint: "Return plain values, or content created with toolResult.",
        });
  const { value } = copy;
  if (isToolResult(answer)) return value as unknown as ToolResult;
  if (value === null) return { content: [] };
  // Structured content as well, so that a string that looks like JSON stays a string.
  return typeof value === "string"
    ? { content: [{ type: "text", text: value }], structuredContent: value }
    : { content: [], structuredContent: value };
};

/** The message of an error without paths of the host, which programs must not see. */
export const toFailedResult = (thrown: unknown): ToolResult => ({
  content: [{ type: "text", text: readMessage(thrown) }],
  isError: true,
});

export const readMessage = (thrown: unknown): string => {
  const original = thrown instanceof Error ? thrown.message : typeof thrown === "string" ? thrown : "";
  const facts = (typeof thrown === "object" ? (thrown ?? {}) : {}) as Readonly<Record<string, unknown>>;
  const named = [facts.path, facts.dest].filter((path) => typeof path === "string" && path.length > 1);
  const message = [...(named as string[])]
    .reduce((text, path) => text.replaceAll(path, "(a path of the host)"), original)
    .replace(/\n[ \t]+at [^\n]*/g, "")
    .replace(hostPaths(), "(a path of the host)")
    .trim();
  return message === "" ? "The tool failed without a message" : message.slice(0, maxMessageLength);
};

const hostPaths = (): RegExp => {
  const roots = [process.cwd(), homedir(), tmpdir()].filter((path) => path.length > 1);
  const escaped = roots.map((path) => path.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  // linear: fixed paths, then one run of characters that nothing has to follow
  return new RegExp(`(?:file://|${escaped.join("|")})[^\\s'"\`)]*`, "g");
};
