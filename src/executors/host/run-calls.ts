// The calls of one run: made in order, as many at once as the run's byte budget allows for their arguments and answers. Reports their progress.
import { Buffer } from "node:buffer";
import {
  encodeInSteps,
  finishInSlices,
  type GuestAnswer,
  type GuestCall,
  type GuestJob,
  isHostFunction,
  type Limits,
  largeBytes,
  peopleServer,
} from "../../contracts/index.js";
import { ByteBudget } from "./byte-budget.js";
import { toCallCost } from "./frames.mjs";
import type { FrameHeader, FrameOutbox } from "./guest-channel.js";
import { noteTransfer } from "./process-usage.js";

export interface RunCallsOptions {
  readonly run: number;
  readonly job: GuestJob;
  readonly outbox: FrameOutbox;
  /** For all runs together. */
  readonly maxHostBytes: number;
  /** Called when a call that had to wait may be read. */
  readonly onFree: () => void;
}

interface WaitingCall {
  readonly id: unknown;
  readonly request: GuestCall;
  /** Its share of the budget for arguments. */
  readonly cost: number;
}

/** Files cross the bridge in chunks that may be larger than the arguments of tools. */
const minCallBytes = 8 * 1024 * 1024;
/** Max length of a server or tool name. */
const maxNameLength = 500;
/** Max tools whose answer sizes are remembered. */
const maxKnownSizes = 1000;
/** Max concurrent host functions of a kind that has not answered yet. */
const firstHostCalls = 4;

/** Max length of the arguments of any host function. */
export const maxCallBytes = ({ argumentBytes }: Pick<Limits, "argumentBytes">): number =>
  Math.max(argumentBytes, minCallBytes);

export class RunCalls {
  readonly #options: RunCallsOptions;
  /** For the calls in flight; undefined before the first. */
  #abort: AbortController | undefined;
  readonly #arguments: ByteBudget;
  readonly #answers: ByteBudget;
  #admittedCost = 0;
  #waiting: WaitingCall[] = [];
  #isStarting = false;
  #underWay = 0;
  /** Sizes of the last answers, by server and tool: the next ones are expected to be the same. */
  readonly #sizes = new Map<string, number>();
  #isOver = false;
  /** Used answers reported since the last accepted call. */
  readonly #used = new Set<number>();
  readonly #progress: RunProgress;

  constructor(options: RunCallsOptions) {
    this.#options = options;
    const maxBytes = options.job.limits.bytesInFlight;
    const { maxHostBytes } = options;
    // Separate budgets, so that neither waits for the other: answers leave only when the guest reads, arguments when calls end.
    this.#arguments = new ByteBudget({ maxBytes, maxHostBytes });
    this.#answers = new ByteBudget({ maxBytes, maxHostBytes });
    this.#progress = new RunProgress(options);
  }

  /** Reserves room for the next call's arguments. False: it has to wait. */
  admit(bodyBytes: number): boolean {
    this.#admittedCost = toCallCost(bodyBytes);
    noteTransfer(bodyBytes);
    return this.#arguments.take(this.#admittedCost, this.#options.onFree);
  }

  take(header: FrameHeader, argumentsJson: string, times: string | undefined): void {
    const { call: id, server, tool, isRaw, argumentLength } = header;
    const cost = this.#admittedCost;
    // Its report applies to all later calls, even if this call is refused.
    if (typeof header.used === "string") this.#noteUsed(header.used);
    if (typeof argumentLength === "number") {
      this.#answer(id, toTooLong(tool, argumentLength, maxCallBytes(this.#options.job.limits)), 0);
      this.#arguments.release(cost);
      return;
    }
    const request = {
      server: toName(server),
      tool: toName(tool),
      argumentsJson,
      isRaw: isRaw === true,
      times,
      id: Number(id),
      isDiscarded: header.isDiscarded === true ? (true as const) : undefined,
      onProgress: header.wantsProgress === true ? this.#progress.open(Number(id)) : undefined,
      used: this.#used.size === 0 ? undefined : [...this.#used],
    };
    this.#used.clear();
    this.#waiting.push({ id, request, cost });
    this.#startWaiting();
  }

  #noteUsed(ids: string): void {
    // Bounded by the possible number of calls, whatever a guest sends.
    for (const id of ids.split(","))
      if (this.#used.size < this.#options.job.limits.calls) this.#used.add(Number(id));
  }

  close(): void {
    this.#isOver = true;
    this.#waiting = [];
    this.#progress.close();
    this.#arguments.close();
    this.#answers.close();
    if (this.#underWay > 0) this.#abort?.abort();
  }

  /** In the order in which the program made them: the journal identifies calls by it. */
  #startWaiting(): void {
    if (this.#isStarting) return;
    for (let call = this.#waiting[0]; call !== undefined; call = this.#waiting[0]) {
      const expected = this.#expect(call.request);
      this.#isStarting = true;
      const isFree = this.#answers.take(expected, () => this.#startFirst(expected));
      if (!isFree) return;
      this.#isStarting = false;
      this.#waiting.shift();
      this.#start(call, expected);
    }
  }

  /** Starts the first waiting call once there is room. */
  #startFirst(expected: number): void {
    this.#isStarting = false;
    const call = this.#waiting.shift();
    if (call !== undefined) this.#start(call, expected);
    this.#startWaiting();
  }

  #start({ id, request, cost }: WaitingCall, expected: number): void {
    this.#underWay++;
    this.#abort ??= new AbortController();
    void this.#options.job.host.call(request, this.#abort.signal).then((answer) => {
      this.#underWay--;
      if (this.#isOver) return;
      this.#note(request, sizeOf(answer));
      this.#progress.finish(Number(id));
      this.#answer(id, answer, expected);
      this.#arguments.release(cost);
    });
  }

  #answer(id: unknown, answer: GuestAnswer, expected: number): void {
    const { run, outbox } = this.#options;
    const size = sizeOf(answer);
    this.#answers.replace(expected, size);
    noteTransfer(size);
    const release = (): void => this.#answers.release(size);
    const head = { type: "answer", run, call: id };
    if (answer.status === "answered") {
      const { format, madeUp } = answer;
      const header = { ...head, isAnswer: true, format, madeUp };
      if (size <= largeBytes) outbox.send(header, answer.body, release);
      else
        void finishInSlices(encodeInSteps(answer.body)).then((body) => {
          if (!this.#isOver) outbox.sendLarge(header, body, release);
        });
    } else
      outbox.send(
        { ...head, isAnswer: false, name: answer.name, code: answer.code },
        answer.message,
        release,
      );
  }

  /** The size of a server's first answer is unknown. Host functions may return large values, but are quick. */
  #expect({ server, tool }: GuestCall): number {
    const known = this.#sizes.get(`${server}\n${tool}`);
    if (known !== undefined) return known;
    const isOurs = isHostFunction(server) && server !== peopleServer;
    return isOurs ? this.#options.job.limits.bytesInFlight / firstHostCalls : 0;
  }

  #note({ server, tool }: GuestCall, size: number): void {
    const key = `${server}\n${tool}`;
    const known = this.#sizes.get(key);
    if (known === undefined && this.#sizes.size >= maxKnownSizes) return;
    this.#sizes.set(key, Math.max(size, (known ?? 0) / 2));
  }
}

const sizeOf = (answer: GuestAnswer): number =>
  answer.status === "answered" ? answer.body.length : answer.message.length;

/** A copy: a slice of a long string would retain the whole string. */
const toName = (name: unknown): string => {
  const text = String(name);
  return text.length <= maxNameLength ? text : Buffer.from(text.slice(0, maxNameLength)).toString();
};

const toTooLong = (tool: unknown, length: number, maxLength: number): GuestAnswer => ({
  status: "failed",
  name: "ArgumentError",
  code: "ARGUMENTS_INVALID",
  message: `Cannot call "${toName(tool)}": its arguments have ${length} bytes, at most ${maxLength} are allowed. Pass less data in one call, or raise limits.argumentBytes.`,
});

type RunProgressOptions = Pick<RunCallsOptions, "run" | "outbox">;

/** Between two progress reports to a guest. */
const progressIntervalMs = 100;

/** Reports to a guest how far its calls are. Only the latest step of a call is stored, so that no server can flood a guest or the host's memory. */
class RunProgress {
  readonly #options: RunProgressOptions;
  /** Call → its latest step, as JSON. */
  readonly #latest = new Map<number, string>();
  #timer: NodeJS.Timeout | undefined;
  /** Frames that the guest has not read. */
  #unread = 0;

  constructor({ run, outbox }: RunProgressOptions) {
    this.#options = { run, outbox };
  }

  /** The function that takes the steps of one call. */
  open(call: number): NonNullable<GuestCall["onProgress"]> {
    return ({ progress, total, message }) => {
      this.#latest.set(call, JSON.stringify({ progress, total, message }));
      this.#timer ??= setTimeout(() => this.#report(), progressIntervalMs).unref();
    };
  }

  /** The call has ended: its last step is reported before its answer. */
  finish(call: number): void {
    if (this.#latest.has(call)) this.#send(call);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#latest.clear();
  }

  /** A guest that does not read gets nothing more until it does. */
  #report(): void {
    this.#timer = undefined;
    if (this.#unread === 0) for (const call of [...this.#latest.keys()]) this.#send(call);
    if (this.#latest.size > 0) this.#timer = setTimeout(() => this.#report(), progressIntervalMs).unref();
  }

  #send(call: number): void {
    const { run, outbox } = this.#options;
    const body = this.#latest.get(call) ?? "";
    this.#latest.delete(call);
    this.#unread += 1;
    outbox.send({ type: "progress", run, call }, body, () => {
      this.#unread -= 1;
    });
  }
}
