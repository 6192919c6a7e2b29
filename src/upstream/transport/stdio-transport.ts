// Implements the SDK's transport over a server process, for large answers and noisy servers.

import type { JSONRPCMessage, RequestId, Transport } from "@modelcontextprotocol/client";
import {
  encodeInSteps,
  finishInSlices,
  isFields,
  isLargeValue,
  type Json,
  largeBytes,
  parseInSteps,
  parseJson,
  type Steps,
  settleWithin,
  stringifyInSteps,
  TooMuchJson,
} from "../../contracts/index.js";
import {
  createFloodGuard,
  createLineSplitter,
  createTextTail,
  type FloodGuard,
  isListMethod,
  isPageTooLarge,
  isUnsolicited,
  peekMessageId,
} from "./incoming-limits.js";
import { type LocalFailureReason, readLargeAnswer, toLocalFailure, toReason } from "./replaced-answers.js";
import type { StdioProcess } from "./stdio-process.js";

/** The length of `{"jsonrpc":"2.0","method":"a"}`, the shortest possible message. */
const minMessageLength = 30;
const noiseLength = 2 * 1024;
/** Maximum of unread bytes before we stop sending, including answers to the server's own requests. */
const maxUnreadBytes = 32 * 1024 * 1024;
const maxEndingMs = 1000;
/** How much of a line of noise to store. */
const endLength = 256;

const toEnds = (line: string) => ({ head: line.slice(0, endLength), tail: line.slice(-endLength) });

/** Values nested too deeply for parsing in steps are parsed at once: the size of a page is limited. */
function* parsePage(bytes: Buffer): Steps<unknown> {
  try {
    return yield* parseInSteps(bytes);
  } catch (error) {
    if (error instanceof TooMuchJson) return parseJson(bytes.toString());
    throw error;
  }
}

/** Pauses reading while there is a reason to wait. */
const createFlow = ({ child }: StdioProcess) => {
  const reasons = new Set<"flood" | "large">();
  return {
    pause: (reason: "flood" | "large"): void => {
      reasons.add(reason);
      child.stdout?.pause();
    },
    resume: (reason: "flood" | "large"): void => {
      reasons.delete(reason);
      if (reasons.size === 0) child.stdout?.resume();
    },
  };
};

const isMessage = (value: unknown): value is JSONRPCMessage =>
  typeof value === "object" && value !== null && "jsonrpc" in value && value.jsonrpc === "2.0";

/**
 * The SDK's own transport copies its buffer for every chunk, validates each message with a schema, and drops the connection
 * above 10 MiB. This one joins a line once, parses it, and fails only the request whose answer is too large.
 */
export class StdioTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Transport["onmessage"] | undefined;

  readonly #process: StdioProcess;
  /** Pending requests, oldest first. Other answers are dropped. */
  readonly #pending = new Map<RequestId, string>();
  readonly #noise = createTextTail(noiseLength);
  readonly #splitter;
  readonly #flood: FloodGuard;
  readonly #flow;
  /** Bytes of messages that the process has not read. */
  #unreadBytes = 0;
  /** The last message that is written in slices or waits for one. */
  #sending: Promise<void> | undefined;
  /** The last of the large messages. */
  #reading: Promise<void> | undefined;
  #isReading = false;

  constructor(process: StdioProcess, maxAnswerBytes: number, onFlood: () => void) {
    this.#process = process;
    this.#flow = createFlow(process);
    this.#flood = createFloodGuard({
      pause: () => this.#flow.pause("flood"),
      resume: () => this.#flow.resume("flood"),
      onFlood,
    });
    this.#splitter = createLineSplitter({
      maxLineBytes: maxAnswerBytes,
      onLine: (line) => this.#read(line),
      onTooLong: (ends) => {
        if (!isUnsolicited(ends))
          this.#fail(peekMessageId(ends) ?? this.#oldestPending(), "answer-too-large");
      },
    });
  }

  /** With `stderr`, lets the SDK recognize a process, whose silence means an old server and not an outage. */
  get pid(): number | null {
    return this.#process.child.pid ?? null;
  }

  get stderr(): null {
    return null;
  }

  /** The last 2 KB of stdout that were not messages. */
  readNoise(): string {
    return this.#noise.read();
  }

  async start(): Promise<void> {
    if (!this.#isReading) {
      this.#isReading = true;
      this.#process.child.stdout?.on("data", this.#splitter.push);
      void this.#process.ended.then(async () => {
        await this.#reading;
        this.#flood.stop();
        this.#pending.clear();
        this.onclose?.();
      });
    }
    await this.#process.started;
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#unreadBytes > maxUnreadBytes) throw new Error("The process does not read its messages");
    this.#track(message);
    const before = this.#sending;
    if (before === undefined && !isLargeValue(message)) return this.#write(`${JSON.stringify(message)}\n`);
    // Keep the order: a cancellation must not overtake its request.
    const sending = (async () => {
      const text = await finishInSlices(stringifyInSteps(message as unknown as Json));
      this.#unreadBytes += text.length;
      await before?.catch(() => {});
      const bytes = await finishInSlices(encodeInSteps(`${text}\n`));
      this.#unreadBytes -= text.length;
      return this.#write(bytes);
    })();
    this.#sending = sending;
    try {
      await sending;
    } finally {
      if (this.#sending === sending) this.#sending = undefined;
    }
  }

  #write(text: string | Buffer): Promise<void> {
    return new Promise((resolve, reject) => {
      const { stdin } = this.#process.child;
      // A process with a broken pipe is about to end. How it ends says more than the pipe.
      const fail = (error: Error): void =>
        void settleWithin(this.#process.ended, maxEndingMs).then(() => reject(error));
      if (!stdin?.writable) return fail(new Error("The process takes no more messages"));
      this.#unreadBytes += text.length;
      stdin.write(text, (error) => {
        this.#unreadBytes -= text.length;
        if (error) fail(error);
        else resolve();
      });
    });
  }

  close(): Promise<void> {
    return this.#process.end();
  }

  #track(message: JSONRPCMessage): void {
    if (!("method" in message)) return;
    if ("id" in message) this.#pending.set(message.id, message.method);
    else if (message.method === "notifications/cancelled") {
      this.#pending.delete((message.params as { requestId: RequestId }).requestId);
    }
    this.#keepHostAliveWhilePending();
  }

  /** Lets our process end while an idle server is still running. */
  #keepHostAliveWhilePending(): void {
    this.#process.keepHostAlive(this.#oldestPending() !== undefined);
  }

  #read(bytes: Buffer): void {
    if (bytes.length > largeBytes) {
      this.#readLarge(bytes);
      return;
    }
    const line = bytes.toString();
    // A failing parse takes microseconds, and a server can print thousands of short lines at once.
    if (line.length < minMessageLength) {
      this.#addNoise(line);
      return;
    }
    try {
      this.#receive(parseJson(line), line);
    } catch (error) {
      this.#refuse(error, line);
    }
  }

  #receive(value: unknown, line: string, length = line.length): void {
    // Revision 2025-03-26 had batches.
    const messages = Array.isArray(value) ? value : [value];
    for (const message of messages) {
      if (isMessage(message)) this.#deliver(message, length / messages.length);
      else {
        this.#flood.count(noiseLength);
        this.#noise.add(`${line.slice(0, noiseLength)}\n`);
      }
    }
  }

  /** An unreadable line is noise, unless it has the id of a request. */
  #refuse(error: unknown, line: string, id = peekMessageId(toEnds(line))): void {
    const reason = toReason(error);
    if (reason === undefined || id === undefined) this.#addNoise(line);
    else this.#fail(id, reason);
  }

  #addNoise(line: string): void {
    this.#flood.count(line.length);
    if (line.trim() !== "") this.#noise.add(`${line.slice(-noiseLength)}\n`);
  }

  /** Parses a long message only if it answers a pending request, and a listing only if it is not too large. */
  #readLarge(bytes: Buffer): void {
    const head = bytes.toString("utf8", 0, noiseLength);
    const ends = { head: head.slice(0, endLength), tail: bytes.toString("utf8", bytes.length - endLength) };
    const id = isUnsolicited(ends) ? undefined : (peekMessageId(ends) ?? this.#oldestPending());
    const method = id === undefined ? undefined : this.#pending.get(id);
    if (method === undefined) {
      this.#flood.count(bytes.length);
      if (ends.head.includes('"method"')) this.#refuseRequest(peekMessageId(ends));
    } else if (method !== "tools/call" && isPageTooLarge(bytes))
      this.#fail(id, isListMethod(method) ? "listing-too-large" : "answer-too-large");
    else {
      const steps: Steps<unknown> = method === "tools/call" ? readLargeAnswer(bytes) : parsePage(bytes);
      this.#flow.pause("large");
      this.#reading = finishInSlices(steps)
        .then(
          (value) => this.#receive(value, head, bytes.length),
          (error: unknown) => this.#refuse(error, head, id),
        )
        .finally(() => this.#flow.resume("large"));
    }
  }

  /** Refuses a request that is too long to read: without an answer its server would wait forever. */
  #refuseRequest(id: RequestId | undefined): void {
    const error = { code: -32_600, message: "The request is too large" };
    if (id !== undefined) this.send({ jsonrpc: "2.0", id, error }).catch(() => {});
  }

  #deliver(message: JSONRPCMessage, length = 0): void {
    const isAnswer = !("method" in message) && message.id !== undefined && this.#pending.delete(message.id);
    if (!isAnswer) this.#flood.count(length);
    // Drop a late answer here: the SDK would serialize it in full to report it.
    if (!isAnswer && !("method" in message)) return;
    if (isAnswer && !isFields("error" in message ? message.error : message.result))
      // The SDK would ignore it and keep waiting.
      this.onmessage?.({ jsonrpc: "2.0", id: message.id, error: toLocalFailure("answer-invalid") });
    else this.onmessage?.(message);
    if (!("method" in message)) this.#keepHostAliveWhilePending();
  }

  #oldestPending(): RequestId | undefined {
    for (const [id, method] of this.#pending) if (method !== "subscriptions/listen") return id;
    return undefined;
  }

  #fail(id: RequestId | undefined, reason: LocalFailureReason): void {
    if (id !== undefined) this.#deliver({ jsonrpc: "2.0", id, error: toLocalFailure(reason) });
  }
}
