// Answers a server that asks back on its connection while it works on a call, as the 2025 protocol allows.
import { pathToFileURL } from "node:url";
import type { Client, ClientCapabilities } from "@modelcontextprotocol/client";
import {
  type AnswerSettings,
  type CallAsker,
  type JsonObject,
  logSeverities,
  maxTimerMs,
  type ServerRequest,
  toCoordinatorError,
  toVisibleText,
} from "../contracts/index.js";
import { maxInput, measureValue } from "./transport/incoming-limits.js";

/** Declares to a server what the settings allow, and nothing else. */
export const toCapabilities = ({ elicitation, sampling, roots }: AnswerSettings): ClientCapabilities => ({
  ...(elicitation === "refuse" ? {} : { elicitation: { form: {}, url: {} } }),
  ...(sampling === "refuse" ? {} : { sampling: {} }),
  // Some servers give up their own folders for a client with roots, even if it names none.
  ...(roots.length === 0 ? {} : { roots: {} }),
});

/** The answer to `roots/list`. */
export const toRoots = ({ roots }: Pick<AnswerSettings, "roots">): JsonObject => ({
  roots: roots.map((root) => ({
    uri: /^[a-z][a-z\d+.-]+:\/\//i.test(root) ? root : pathToFileURL(root).href,
  })),
});

/** The time limit of a call. It does not run while its server waits for a person. */
class CallClock {
  readonly #ending = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #cancel = (): void => this.#ending.abort(this.#caller?.reason);
  #leftMs: number;
  #startedAt = 0;
  #holds = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(limitMs: number, caller: AbortSignal | undefined) {
    this.#leftMs = limitMs;
    this.#caller = caller;
    this.#start();
    if (caller?.aborted === true) this.#cancel();
    else caller?.addEventListener("abort", this.#cancel);
  }

  /** Aborted when the time is over, or by the caller. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  hold(): void {
    if (this.#holds++ > 0) return;
    clearTimeout(this.#timer);
    this.#leftMs -= performance.now() - this.#startedAt;
  }

  release(): void {
    if (--this.#holds === 0) this.#start();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener("abort", this.#cancel);
    this.#holds = Number.POSITIVE_INFINITY;
  }

  #start(): void {
    this.#startedAt = performance.now();
    const abort = (): void => this.#ending.abort("the time is over");
    this.#timer = setTimeout(abort, Math.min(Math.max(1, this.#leftMs), maxTimerMs));
  }
}

interface AskedCall {
  /** Undefined: nobody answers for this call. */
  readonly asker: CallAsker | undefined;
  readonly clock: CallClock;
  /** Aborted when the call has ended: then nobody is asked any more. Undefined if nobody was asked. */
  ended?: AbortController | undefined;
  /** Log messages that were passed on. */
  logged: number;
}

interface CallLimits {
  readonly asker?: CallAsker | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** Log messages of one call, and characters of one; more are dropped. */
const maxLogs = 200;
const maxLogLength = 1000;

/** A server may ask several things at once, but people answer one after the other. */
const maxWaiting = 8;

/** As JSON-RPC errors: the SDK sends the code of an error. */
const refuse = (message: string, code = -32_600): Error => Object.assign(new Error(message), { code });

/** The calls on one connection that can be asked. */
export class Askers {
  readonly #calls = new Set<AskedCall>();
  #waiting = 0;
  #last: Promise<unknown> = Promise.resolve();

  /** Lets the server ask while `work` is in progress; `work` gets a signal that also replaces its time limit. */
  async during<Value>(
    { asker, timeoutMs, signal }: CallLimits,
    work: (signal: AbortSignal) => Promise<Value>,
  ): Promise<Value> {
    const call: AskedCall = { asker, clock: new CallClock(timeoutMs, signal), logged: 0 };
    this.#calls.add(call);
    try {
      return await work(call.clock.signal);
    } finally {
      this.#calls.delete(call);
      call.clock.stop();
      call.ended?.abort();
    }
  }

  /** Sets the handlers of a client for what the settings allow. */
  attach(client: Client, answers: AnswerSettings, askTimeoutMs: number): void {
    const handle = (method: "elicitation/create" | "sampling/createMessage"): void =>
      client.setRequestHandler(
        method,
        (request, { mcpReq }) =>
          // The handlers of two methods cannot share one type.
          this.#enqueue(request as unknown as ServerRequest, mcpReq.signal, askTimeoutMs) as Promise<never>,
      );
    if (answers.elicitation !== "refuse") handle("elicitation/create");
    if (answers.sampling !== "refuse") handle("sampling/createMessage");
    if (answers.roots.length > 0)
      client.setRequestHandler("roots/list", () => toRoots(answers) as Promise<never> & JsonObject);
  }

  /** Passes log messages to the run that calls the server. */
  watchLogs(client: Client, { logs }: AnswerSettings): void {
    if (logs === "off") return;
    const minSeverity = logSeverities.indexOf(logs);
    client.setNotificationHandler("notifications/message", ({ params: { level, logger, data } }) => {
      const [first, ...others] = this.#calls;
      const isCertain = others.every(({ asker }) => asker?.id === first?.asker?.id);
      if (first === undefined || !isCertain || logSeverities.indexOf(level) < minSeverity) return;
      if (++first.logged > maxLogs) return;
      const text = typeof data === "string" ? data : (JSON.stringify(data) ?? "");
      const from = logger === undefined ? "" : `${logger.slice(0, 80)}: `;
      first.asker?.log?.(toVisibleText(`[${level}] ${from}${text.slice(0, maxLogLength)}`));
    });
    // Servers that do not know the request send what they like.
    if (client.getServerCapabilities()?.logging !== undefined && client.getProtocolEra() !== "modern")
      client.setLoggingLevel(logs).catch(() => {});
  }

  /** One question at a time. */
  async #enqueue(request: ServerRequest, cancelled: AbortSignal, askTimeoutMs: number): Promise<JsonObject> {
    if ("tooMuch" in measureValue(request.params ?? {}, maxInput)) throw refuse("The request is too large");
    if (this.#waiting >= maxWaiting) throw refuse(`More than ${maxWaiting} requests wait for an answer`);
    this.#waiting++;
    const answering = this.#last.then(() => this.#answer(request, cancelled, askTimeoutMs));
    this.#last = answering.catch(() => {});
    try {
      return await answering;
    } finally {
      this.#waiting--;
    }
  }

  async #answer(request: ServerRequest, cancelled: AbortSignal, askTimeoutMs: number): Promise<JsonObject> {
    const calls = [...this.#calls];
    const [first] = calls;
    if (first === undefined) throw refuse("No call is in progress that could be asked for input");
    // The protocol does not say which call a request belongs to, and no run may see the questions of another.
    const { asker } = first;
    if (calls.some((call) => call.asker?.id !== asker?.id))
      throw refuse("Several runs are calling this server, so it is not known which of them to ask");
    if (asker === undefined) throw refuse("Nobody can be asked for input during this call");
    const ends: AbortSignal[] = [];
    if (calls.length === 1) {
      first.ended ??= new AbortController();
      ends.push(first.ended.signal);
    }
    const signal = AbortSignal.any([cancelled, AbortSignal.timeout(askTimeoutMs), ...ends]);
    for (const { clock } of calls) clock.hold();
    try {
      const { method, params } = request;
      return await asker.answer({ method, params }, signal, calls.length === 1);
    } catch (thrown) {
      const { code, message } = toCoordinatorError(thrown);
      throw refuse(`${code}: ${message}`, -1);
    } finally {
      for (const { clock } of calls) clock.release();
    }
  }
}
