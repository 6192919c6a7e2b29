// `fetch` for the HTTP transports: an answer that is too large or breaks off fails only its own request.
import type { FetchLike, JSONRPCMessage, RequestId } from "@modelcontextprotocol/client";
import { finishInSlices, largeBytes, listingLimits, markLargeIntegers } from "../../contracts/index.js";
import { hideSecrets } from "../redact.js";
import {
  countStructure,
  createFloodGuard,
  isListMethod,
  isPageTooLarge,
  isUnsolicited,
  peekMessageId,
} from "./incoming-limits.js";
import { type LocalFailureReason, readLargeAnswer, toLocalFailure, toReason } from "./replaced-answers.js";

export interface GuardedFetchOptions {
  readonly maxAnswerBytes: number;
  /** Called if a shared stream carries an answer that is too large. */
  readonly onTooLarge: () => void;
  /** Called if an endless stream floods us. */
  readonly onFlood?: (() => void) | undefined;
  /** Tokens that were sent. They are removed from what comes back. */
  readonly readSecrets?: (() => readonly string[]) | undefined;
}

interface StreamGuard {
  readonly maxBytes: number;
  /** Maximum number of values. Values of a listing are counted before it is parsed. */
  readonly maxParts: number;
  readonly excess: LocalFailureReason;
  /** Counts bytes per line instead of from the start: for an endless stream. */
  readonly isPerLine: boolean;
  /** Replaces the rest of the stream. Without it the stream fails. */
  readonly toErrorEvent?: ((reason: LocalFailureReason) => string) | undefined;
  readonly onTooLarge?: (() => void) | undefined;
  readonly onFlood?: (() => void) | undefined;
}

const newline = 10;
/** `event:`, `data:` and the empty line. */
const linesPerEvent = 3;

const countLines = (chunk: Uint8Array): number => {
  let count = 0;
  for (const code of chunk) if (code === newline) count += 1;
  return count;
};

const idLine = /(?:^|\n)id:/;

const guardStream = (body: ReadableStream<Uint8Array>, guard: StreamGuard): ReadableStream<Uint8Array> => {
  const reader = body.getReader();
  let bytes = 0;
  let parts = 0;
  let mayRead: Promise<void> | undefined;
  let resumeReading = (): void => {};
  const flood = createFloodGuard({
    pause: () => {
      mayRead = new Promise((resolve) => {
        resumeReading = resolve;
      });
    },
    resume: () => resumeReading(),
    onFlood: () => guard.onFlood?.(),
  });
  /** The stream has event ids, so the SDK resumes it itself if it breaks off. */
  let isResumable = false;

  const finish = (controller: ReadableStreamDefaultController<Uint8Array>, reason: LocalFailureReason) => {
    if (guard.toErrorEvent === undefined)
      return controller.error(Object.assign(new Error(reason), toLocalFailure(reason)));
    if (!isResumable || reason === guard.excess) {
      controller.enqueue(new TextEncoder().encode(guard.toErrorEvent(reason)));
    }
    controller.close();
  };

  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      await mayRead;
      const step = await reader.read().catch((error: unknown) => ({ error }));
      if ("error" in step) {
        if (guard.toErrorEvent === undefined) controller.error(step.error);
        else finish(controller, "answer-broken-off");
      } else if (step.done) {
        if (guard.toErrorEvent === undefined) controller.close();
        else finish(controller, "answer-broken-off");
      } else {
        const chunk = step.value;
        const lineEnd = guard.isPerLine ? chunk.indexOf(newline) : -1;
        bytes += lineEnd === -1 ? chunk.length : lineEnd;
        if (guard.maxParts < Number.POSITIVE_INFINITY) parts += countStructure(chunk);
        const isTooLarge = bytes > guard.maxBytes || parts > guard.maxParts;
        // Count lines, not bytes: an answer of any size is one line.
        if (lineEnd !== -1) flood.count(0, countLines(chunk) / linesPerEvent);
        if (lineEnd !== -1) bytes = chunk.length - chunk.lastIndexOf(newline);
        isResumable ||=
          guard.toErrorEvent !== undefined && idLine.test(Buffer.from(chunk).toString("latin1"));
        if (!isTooLarge) return controller.enqueue(chunk);
        guard.onTooLarge?.();
        finish(controller, guard.excess);
        await reader.cancel().catch(() => {});
      }
    },
    cancel: (reason) => {
      flood.stop();
      return reader.cancel(reason);
    },
  });
};

/** The id of the request in a body written by the SDK. */
const requestId = (body: unknown): string | number | undefined =>
  typeof body === "string" ? peekMessageId({ head: body.slice(0, 256), tail: body.slice(-256) }) : undefined;

/** The request's method. The SDK writes it before the parameters. */
const requestMethod = (body: unknown): string | undefined =>
  typeof body === "string" ? /"method":"([a-z/]{1,60})"/.exec(body.slice(0, 256))?.[1] : undefined;

/** The SDK's error has the status text and no headers. */
const noteRetryAfter = (response: Response): Response => {
  const after = response.ok ? null : response.headers.get("retry-after");
  if (after === null || !/^[ -~]{1,60}$/.test(after)) return response;
  const { status, headers, body } = response;
  return new Response(body, { status, headers, statusText: `retry-after: ${after}` });
};

/** How many call ids to remember. Older calls were answered long ago. */
const maxCallIds = 10_000;
/** Maximum size of an HTTP error body. */
const maxErrorBytes = 256 * 1024;

/** Works like `fetch`, but limits bodies and adds an error event to an event stream that ends early. */
export const createGuardedFetch = ({
  maxAnswerBytes,
  onTooLarge,
  onFlood,
  readSecrets = () => [],
}: GuardedFetchOptions): FetchLike => {
  const callIds = new Set<string | number>();
  const noteCall = (id: string | number): void => {
    callIds.add(id);
    for (const oldest of callIds) {
      if (callIds.size <= maxCallIds) return;
      callIds.delete(oldest);
    }
  };
  return async (url, init) => {
    const id = init?.method === "POST" ? requestId(init.body) : undefined;
    const method = id === undefined ? undefined : requestMethod(init?.body);
    // Before sending: the answer may arrive on another stream.
    if (id !== undefined && method === "tools/call") noteCall(id);
    const response = noteRetryAfter(await fetch(url, init));
    if (response.body === null) return response;
    const isEvents =
      response.ok && response.headers.get("content-type")?.startsWith("text/event-stream") === true;
    const isEndless = isEvents && id === undefined;
    // Everything except call results is parsed in one step.
    const isBounded = id !== undefined && method !== "tools/call";
    const maxBytes = response.ok ? maxAnswerBytes : Math.min(maxAnswerBytes, maxErrorBytes);
    const guard: StreamGuard = {
      maxBytes: isBounded ? Math.min(maxBytes, listingLimits.pageBytes) : maxBytes,
      maxParts: isBounded ? listingLimits.pageParts : Number.POSITIVE_INFINITY,
      excess: isListMethod(method) ? "listing-too-large" : "answer-too-large",
      isPerLine: isEndless,
      onTooLarge: isEndless ? onTooLarge : undefined,
      onFlood: isEndless ? onFlood : undefined,
      toErrorEvent:
        isEvents && id !== undefined
          ? // The empty line ends the broken event. An error for an id that was already answered is ignored.
            (reason) => `\n\ndata: ${JSON.stringify(toFailure(id, reason))}\n\n`
          : undefined,
    };
    const isCall = (request: string | number): boolean => callIds.has(request);
    const body = guardStream(hideSecrets(response.body, readSecrets()), guard);
    return new Response(response.ok ? rewriteAnswers(body, { isEvents, id, isCall }) : body, response);
  };
};

export interface AnswerStreamOptions {
  readonly isEvents: boolean;
  /** The request that the body answers, if it answers only one. */
  readonly id: RequestId | undefined;
  /** Whether a request is a tool call. */
  readonly isCall: (id: RequestId) => boolean;
}

const endLength = 256;

const toFailure = (id: RequestId, reason: LocalFailureReason): JSONRPCMessage => ({
  jsonrpc: "2.0",
  id,
  error: toLocalFailure(reason),
});

/** Marks large integers. Returns other bytes unchanged, also if they are not JSON, e.g. the address that an old server sends first. */
const markBytes = (bytes: Buffer): Buffer | string => {
  const text = bytes.toString();
  if (!/^\s*[{[]/.test(text)) return bytes;
  const marked = markLargeIntegers(text);
  return marked.length === text.length ? bytes : marked;
};

/** Converts a message for the SDK; undefined if the SDK must not see it. */
const readMessage = async (
  bytes: Buffer,
  options: AnswerStreamOptions,
): Promise<Buffer | string | undefined> => {
  const { length } = bytes;
  const ends = {
    head: bytes.toString("utf8", 0, endLength),
    tail: bytes.toString("utf8", Math.max(0, length - endLength)),
  };
  const id = peekMessageId(ends) ?? options.id;
  try {
    if (length <= largeBytes) return markBytes(bytes);
    if (id === undefined || isUnsolicited(ends)) return undefined;
    if (options.isCall(id)) {
      const message = await finishInSlices(readLargeAnswer(bytes));
      return JSON.stringify(message ?? toFailure(id, "answer-invalid"));
    }
    return isPageTooLarge(bytes) ? JSON.stringify(toFailure(id, "answer-too-large")) : markBytes(bytes);
  } catch (error) {
    // An event that breaks off is followed by one with the reason.
    const reason = toReason(error) ?? (options.isEvents ? undefined : "answer-invalid");
    return id === undefined || reason === undefined ? undefined : JSON.stringify(toFailure(id, reason));
  }
};

const isData = (line: Buffer): boolean => line.toString("latin1", 0, 5) === "data:";

/** Converts an event, whose message may span lines. A small event without large integers stays unchanged. */
const readEvent = async (event: Buffer, options: AnswerStreamOptions): Promise<Buffer | undefined> => {
  const data: Buffer[] = [];
  const others: Buffer[] = [];
  for (let from = 0; from < event.length; ) {
    const at = event.indexOf(newline, from);
    const end = at === -1 ? event.length : at + 1;
    const line = event.subarray(from, end);
    if (isData(line)) data.push(line.subarray(5));
    else others.push(line);
    from = end;
  }
  if (data.length === 0) return event;
  const text = await readMessage(Buffer.concat(data), options);
  if (text === undefined) return undefined;
  if (typeof text !== "string") return event;
  const lines = text.trim().split("\n");
  return Buffer.concat([...lines.map((line) => Buffer.from(`data: ${line}\n`)), ...others]);
};

/** Rewrites a body, event by event or as a whole. Buffers one at a time; their size is already limited. */
const rewriteAnswers = (
  body: ReadableStream<Uint8Array>,
  options: AnswerStreamOptions,
): ReadableStream<Uint8Array> => {
  const { isEvents } = options;
  let buffered: Uint8Array[] = [];
  /** The last complete line was empty (or a bare carriage return), or nothing has arrived yet. */
  let isAtLineStart = true;
  const takeBuffered = (): Buffer => {
    const bytes = Buffer.concat(buffered);
    buffered = [];
    return bytes;
  };
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: async (chunk, controller) => {
        let start = 0;
        for (let end = isEvents ? chunk.indexOf(newline) : -1; end !== -1; ) {
          const line = chunk.subarray(start, end + 1);
          buffered.push(line);
          start = end + 1;
          end = chunk.indexOf(newline, start);
          const isEmpty = isAtLineStart && (line.length === 1 || (line.length === 2 && line[0] === 13));
          isAtLineStart = true;
          const event = isEmpty ? await readEvent(takeBuffered(), options) : undefined;
          if (event !== undefined) controller.enqueue(event);
        }
        if (start === chunk.length) return;
        buffered.push(chunk.subarray(start));
        isAtLineStart = false;
      },
      flush: async (controller) => {
        if (buffered.length === 0) return;
        const rest = takeBuffered();
        const read = isEvents ? await readEvent(rest, options) : await readMessage(rest, options);
        if (read !== undefined) controller.enqueue(Buffer.from(read));
      },
    }),
  );
};
