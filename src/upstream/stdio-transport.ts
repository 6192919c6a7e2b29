// The SDK's transport interface over a server process, made for large answers and noisy servers.
import type { JSONRPCMessage, RequestId, Transport } from "@modelcontextprotocol/client";

import { createLineSplitter } from "./line-splitter.js";
import { toLocalFailure } from "./local-failure.js";
import { isUnasked, peekMessageId } from "./peek-message-id.js";
import type { StdioProcess } from "./stdio-process.js";
import { createTextTail } from "./text-tail.js";

const noiseLength = 2 * 1024;

const isMessage = (value: unknown): value is JSONRPCMessage =>
  typeof value === "object" && value !== null && "jsonrpc" in value && value.jsonrpc === "2.0";

/**
 * The SDK's own copies all it has for every chunk, validates each message with a schema, and drops the connection
 * above 10 MiB. This one joins a line once, parses it, and lets an answer that is too large fail alone.
 */
export class StdioTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Transport["onmessage"];

  readonly #process: StdioProcess;
  /** Requests under way, oldest first. Answers to anything else are dropped. */
  readonly #pending = new Map<RequestId, string>();
  readonly #noise = createTextTail(noiseLength);
  readonly #splitter;
  #isReading = false;

  constructor(process: StdioProcess, maxAnswerBytes: number) {
    this.#process = process;
    this.#splitter = createLineSplitter({
      maxLineBytes: maxAnswerBytes,
      onLine: (line) => this.#read(line),
      onTooLong: (ends) => {
        if (!isUnasked(ends)) this.#failTooLarge(peekMessageId(ends) ?? this.#oldestPending());
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
      void this.#process.ended.then(() => {
        this.#pending.clear();
        this.onclose?.();
      });
    }
    await this.#process.started;
  }

  send(message: JSONRPCMessage): Promise<void> {
    this.#track(message);
    const text = `${JSON.stringify(message)}\n`;
    return new Promise((resolve, reject) => {
      const { stdin } = this.#process.child;
      if (!stdin?.writable) reject(new Error("The process takes no more messages"));
      else stdin.write(text, (error) => (error ? reject(error) : resolve()));
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

  #read(line: string): void {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      if (line.trim() !== "") this.#noise.add(`${line}\n`);
      return;
    }
    // Revision 2025-03-26 had batches.
    const messages = Array.isArray(value) ? value : [value];
    for (const message of messages) {
      if (isMessage(message)) this.#deliver(message);
      else this.#noise.add(`${line.slice(0, noiseLength)}\n`);
    }
  }

  #deliver(message: JSONRPCMessage): void {
    // The SDK writes a late answer out in full to report it; here it is only dropped.
    if (!("method" in message) && !(message.id !== undefined && this.#pending.delete(message.id))) return;
    this.onmessage?.(message);
    if (!("method" in message)) this.#holdWhileAsked();
  }

  #oldestPending(): RequestId | undefined {
    for (const [id, method] of this.#pending) if (method !== "subscriptions/listen") return id;
    return undefined;
  }

  #failTooLarge(id: RequestId | undefined): void {
    if (id !== undefined) this.#deliver({ jsonrpc: "2.0", id, error: toLocalFailure("answer-too-large") });
  }
}
