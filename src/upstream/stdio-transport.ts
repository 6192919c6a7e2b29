// The SDK's transport interface over a server process, made for large answers and noisy servers.
import type { JSONRPCMessage, RequestId, Transport } from "@modelcontextprotocol/client";

import {
  encodeInSteps,
  finishInSlices,
  isLargeValue,
  type Json,
  largeBytes,
  parseInSteps,
  parseJson,
  type Steps,
  stringifyInSteps,
  TooMuchJson,
} from "../contracts/index.js";
import { isListMethod, isPageTooLarge } from "./count-structure.js";
import { createFloodGuard, type FloodGuard } from "./flood-guard.js";
import { readLargeAnswer } from "./large-answers.js";
import { createLineSplitter } from "./line-splitter.js";
import { type LocalFailureReason, toLocalFailure, toReason } from "./local-failure.js";
import { isUnasked, peekMessageId } from "./peek-message-id.js";
import type { StdioProcess } from "./stdio-process.js";
import { createTextTail } from "./text-tail.js";

/** Of `{"jsonrpc":"2.0","method":"a"}`, which says the least that a message can. */
const shortestMessage = 30;
const noiseLength = 2 * 1024;
/** What a server may leave unread before it is sent no more: answers to its own questions, too. */
const maxUnreadBytes = 32 * 1024 * 1024;
/** How much of a line says what it is. */
const endLength = 256;

const toEnds = (line: string) => ({ head: line.slice(0, endLength), tail: line.slice(-endLength) });

/** What is nested too deeply for steps is parsed at once: a page is bounded. */
function* parsePage(bytes: Buffer): Steps<unknown> {
  try {
    return yield* parseInSteps(bytes);
  } catch (error) {
    if (error instanceof TooMuchJson) return parseJson(bytes.toString());
    throw error;
  }
}

/** What a server says is not read while there is a reason to wait. */
const createFlow = ({ child }: StdioProcess) => {
  const reasons = new Set<"flood" | "large">();
  return {
    hold: (reason: "flood" | "large"): void => {
      reasons.add(reason);
      child.stdout?.pause();
    },
    release: (reason: "flood" | "large"): void => {
      reasons.delete(reason);
      if (reasons.size === 0) child.stdout?.resume();
    },
  };
};

const isFields = (value: unknown): boolean =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isMessage = (value: unknown): value is JSONRPCMessage =>
  typeof value === "object" && value !== null && "jsonrpc" in value && value.jsonrpc === "2.0";

/**
 * The SDK's own copies all it has for every chunk, validates each message with a schema, and drops the connection
 * above 10 MiB. This one joins a line once, parses it, and lets an answer that is too large fail alone.
 */
export class StdioTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Transport["onmessage"] | undefined;

  readonly #process: StdioProcess;
  /** Requests under way, oldest first. Answers to anything else are dropped. */
  readonly #pending = new Map<RequestId, string>();
  readonly #noise = createTextTail(noiseLength);
  readonly #splitter;
  readonly #flood: FloodGuard;
  readonly #flow;
  /** Of messages that the process has not read. */
  #unreadBytes = 0;
  /** The last message that is written in slices, or waits behind one. */
  #sending: Promise<void> | undefined;
  /** The last of the large messages. */
  #reading: Promise<void> | undefined;
  #isReading = false;

  constructor(process: StdioProcess, maxAnswerBytes: number, onFlood: () => void) {
    this.#process = process;
    this.#flow = createFlow(process);
    this.#flood = createFloodGuard({
      pause: () => this.#flow.hold("flood"),
      resume: () => this.#flow.release("flood"),
      onFlood,
    });
    this.#splitter = createLineSplitter({
      maxLineBytes: maxAnswerBytes,
      onLine: (line) => this.#read(line),
      onTooLong: (ends) => {
        if (!isUnasked(ends)) this.#fail(peekMessageId(ends) ?? this.#oldestPending(), "answer-too-large");
      },
    });
  }

  /** With `stderr`, this is how the SDK recognises a process, whose silence means an old server and not an outage. */
  get pid(): number | null {
    return this.#process.child.pid ?? null;
  }

  get stderr(): null {
    return null;
  }

  /** What the server printed to stdout that was no message: its last 2 KB. */
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
    // In order: who takes a request back must not come before it.
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
      if (!stdin?.writable) return reject(new Error("The process takes no more messages"));
      this.#unreadBytes += text.length;
      stdin.write(text, (error) => {
        this.#unreadBytes -= text.length;
        if (error) reject(error);
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
    this.#holdWhileAsked();
  }

  /** A program that is done ends, though a server that it asks nothing is still there. */
  #holdWhileAsked(): void {
    this.#process.hold(this.#oldestPending() !== undefined);
  }

  #read(bytes: Buffer): void {
    if (bytes.length > largeBytes) {
      this.#readLarge(bytes);
      return;
    }
    const line = bytes.toString();
    // A parser that fails takes microseconds, and a server can print thousands of short lines at once.
    if (line.length < shortestMessage) {
      this.#addNoise(line);
      return;
    }
    try {
      this.#take(parseJson(line), line);
    } catch (error) {
      this.#refuse(error, line);
    }
  }

  #take(value: unknown, line: string, length = line.length): void {
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

  /** What cannot be read is noise, unless it says whose answer it is. */
  #refuse(error: unknown, line: string, id = peekMessageId(toEnds(line))): void {
    const reason = toReason(error);
    if (reason === undefined || id === undefined) this.#addNoise(line);
    else this.#fail(id, reason);
  }

  #addNoise(line: string): void {
    this.#flood.count(line.length);
    if (line.trim() !== "") this.#noise.add(`${line.slice(-noiseLength)}\n`);
  }

  /** A long message is only read when somebody waits for it, and a list only when it is not too much. */
  #readLarge(bytes: Buffer): void {
    const head = bytes.toString("utf8", 0, noiseLength);
    const ends = { head: head.slice(0, endLength), tail: bytes.toString("utf8", bytes.length - endLength) };
    const id = isUnasked(ends) ? undefined : (peekMessageId(ends) ?? this.#oldestPending());
    const method = id === undefined ? undefined : this.#pending.get(id);
    if (method === undefined) this.#flood.count(bytes.length);
    else if (method !== "tools/call" && isPageTooLarge(bytes))
      this.#fail(id, isListMethod(method) ? "listing-too-large" : "answer-too-large");
    else {
      const steps: Steps<unknown> = method === "tools/call" ? readLargeAnswer(bytes) : parsePage(bytes);
      this.#flow.hold("large");
      this.#reading = finishInSlices(steps)
        .then(
          (value) => this.#take(value, head, bytes.length),
          (error: unknown) => this.#refuse(error, head, id),
        )
        .finally(() => this.#flow.release("large"));
    }
  }

  #deliver(message: JSONRPCMessage, length = 0): void {
    const isAnswer = !("method" in message) && message.id !== undefined && this.#pending.delete(message.id);
    if (!isAnswer) this.#flood.count(length);
    // The SDK writes a late answer out in full to report it; here it is only dropped.
    if (!isAnswer && !("method" in message)) return;
    if (isAnswer && !isFields("error" in message ? message.error : message.result))
      // The SDK would take it for no answer at all, and wait.
      this.onmessage?.({ jsonrpc: "2.0", id: message.id, error: toLocalFailure("answer-invalid") });
    else this.onmessage?.(message);
    if (!("method" in message)) this.#holdWhileAsked();
  }

  #oldestPending(): RequestId | undefined {
    for (const [id, method] of this.#pending) if (method !== "subscriptions/listen") return id;
    return undefined;
  }

  #fail(id: RequestId | undefined, reason: LocalFailureReason): void {
    if (id !== undefined) this.#deliver({ jsonrpc: "2.0", id, error: toLocalFailure(reason) });
  }
}
