// Schedules requests to the checker: workspaces take turns, and a text that crashes a process does not affect other requests.
import { toFrame, tooComplex } from "../../checker/index.js";
import { CoordinatorError } from "../../contracts/index.js";
import type { CheckerRequest, CheckerRequests, ReplyMessage } from "./checker-handlers.js";
import { type CheckerDeath, CheckerProcess, type CheckerTask } from "./checker-process.js";

/** The workspace that requests a check. One workspace never blocks another. */
export interface Requester {
  readonly workspace: string;
  /** Cancels the request. Its reason is thrown if it is a CoordinatorError, otherwise RUN_CANCELLED. */
  readonly signal?: AbortSignal | undefined;
}

interface RequestOptions extends Requester {
  /** What errors call the text. */
  readonly name?: string | undefined;
}

const requesterFaults: ReadonlySet<string> = new Set(["RUN_CANCELLED", "LIMIT_TIME", "CHECKER_BUSY"]);

/** The request was cancelled or too large. That says nothing about the text and is not cached. */
export const isRequesterFault = (thrown: unknown): boolean =>
  thrown instanceof CoordinatorError && requesterFaults.has(thrown.code);

/** Maximum waiting requests of one workspace. A program with a hundred adapters makes a hundred. */
const maxWaiting = 1000;
const maxWaitingBytes = 64 * 1024 * 1024;
/** Maximum bytes sent and not answered. Further requests wait here. */
const maxSentBytes = 16 * 1024 * 1024;
const maxFailedStarts = 2;
/** Processor time of one text. Suspects get more in the second process, where nobody else waits. */
const maxProcessorMs = { first: 1_500, second: 5_000 };
const idleMs = { first: 2 * 60_000, second: 5_000 };
/** How long a workspace stays in the second process after one of its texts crashed it. */
const distrustMs = 60_000;

interface Task extends CheckerTask {
  readonly turn: Turn;
  readonly name: string | undefined;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  /** The first process died while working on it, so it is retried alone. */
  isSuspect: boolean;
}

/** The requests of one workspace. At most one is with a process. */
interface Turn {
  readonly workspace: string;
  readonly waiting: Task[];
  open: Task | undefined;
  distrustedUntil: number;
}

export class CheckerQueue {
  #lastId = 0;
  #failedStarts = 0;
  /** In scheduling order. */
  readonly #turns = new Map<string, Turn>();
  readonly #first = new CheckerProcess<Task>({
    maxProcessorMs: maxProcessorMs.first,
    idleMs: idleMs.first,
    onAnswer: (task, reply) => this.#answer(task, reply),
    onDeath: (death) =>
      this.#survive(death, (task) => {
        task.isSuspect = true;
        task.turn.waiting.unshift(task);
      }),
  });
  /** Checks suspects again, one at a time. */
  readonly #second = new CheckerProcess<Task>({
    maxProcessorMs: maxProcessorMs.second,
    idleMs: idleMs.second,
    onAnswer: (task, reply) => this.#answer(task, reply),
    onDeath: (death) =>
      this.#survive(death, (task) => {
        task.turn.distrustedUntil = Date.now() + distrustMs;
        task.reject(tooComplex(task.name));
      }),
  });

  /** Throws PROGRAM_INVALID for a text that is invalid or crashed a process, and CHECKER_BUSY if too many requests wait. */
  request<Kind extends CheckerRequest>(
    kind: Kind,
    body: CheckerRequests[Kind][0],
    { workspace, signal, name }: RequestOptions,
  ): Promise<CheckerRequests[Kind][1]> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) throw toReason(signal);
      const turn = this.#openTurn(workspace);
      const id = ++this.#lastId;
      const frame = toRequestFrame({ id, kind, body }, name);
      const bytes = turn.waiting.reduce((sum, one) => sum + one.frame.length, 0);
      if (turn.waiting.length >= maxWaiting || (bytes > 0 && bytes + frame.length > maxWaitingBytes))
        throw new CoordinatorError(
          "CHECKER_BUSY",
          `Cannot check the program: ${turn.waiting.length} requests of its workspace are already waiting`,
        );
      const onAbort = (): void => this.#abandon(task, toReason(signal));
      const settle = (settled: () => void): void => {
        signal?.removeEventListener("abort", onAbort);
        settled();
      };
      const task: Task = {
        id,
        frame,
        turn,
        name,
        resolve: (result) => settle(() => resolve(result as CheckerRequests[Kind][1])),
        reject: (error) => settle(() => reject(error)),
        isStarted: false,
        isAbandoned: false,
        isSuspect: false,
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      turn.waiting.push(task);
      this.#pump();
    });
  }

  /** Starts the process ahead of a program. */
  start(): void {
    this.#first.start();
  }

  /** For tests and reports. Undefined if it is not running. */
  get processId(): number | undefined {
    return this.#first.processId;
  }

  /** For tests and reports: requests that wait or are being answered. */
  get size(): number {
    const waiting = [...this.#turns.values()].reduce((sum, turn) => sum + turn.waiting.length, 0);
    return waiting + this.#first.openCount + this.#second.openCount;
  }

  /** Ends processes that nobody waits for. The others end when idle or with the host. */
  close(): void {
    if (this.size > 0) return;
    this.#first.end();
    this.#second.end();
  }

  #openTurn(workspace: string): Turn {
    const now = Date.now();
    for (const [name, { waiting, open, distrustedUntil }] of this.#turns)
      if (waiting.length === 0 && open === undefined && distrustedUntil < now) this.#turns.delete(name);
    const turn = this.#turns.get(workspace) ?? {
      workspace,
      waiting: [],
      open: undefined,
      distrustedUntil: 0,
    };
    this.#turns.set(workspace, turn);
    return turn;
  }

  #pump(): void {
    const now = Date.now();
    for (const turn of [...this.#turns.values()]) {
      const [next] = turn.waiting;
      if (next === undefined || turn.open !== undefined) continue;
      const isTrusted = !next.isSuspect && turn.distrustedUntil < now;
      const target = isTrusted ? this.#first : this.#second;
      if (target.openCount > 0 && (!isTrusted || target.openBytes > maxSentBytes)) continue;
      turn.waiting.shift();
      turn.open = next;
      // After all others.
      this.#turns.delete(turn.workspace);
      this.#turns.set(turn.workspace, turn);
      target.send(next);
    }
  }

  #answer(task: Task, { result, error, isTooComplex }: ReplyMessage): void {
    this.#failedStarts = 0;
    task.turn.open = undefined;
    if (isTooComplex === true) task.reject(tooComplex(task.name));
    else if (error === undefined) task.resolve(result);
    else
      task.reject(
        new CoordinatorError(error.code, error.message, { hint: error.hint, details: error.details }),
      );
    this.#pump();
  }

  #abandon(task: Task, reason: Error): void {
    const { turn } = task;
    const at = turn.waiting.indexOf(task);
    if (at >= 0) turn.waiting.splice(at, 1);
    this.#first.abandon(task);
    this.#second.abandon(task);
    task.reject(reason);
  }

  /** Sends requests again that the process had not started. If it had started none, any may be to blame. */
  #survive({ open, isFailedStart, isOurs }: CheckerDeath<Task>, blame: (task: Task) => void): void {
    const isBroken = isFailedStart && ++this.#failedStarts >= maxFailedStarts;
    const hasStarted = open.some(({ isStarted }) => isStarted);
    for (const task of open) {
      task.turn.open = undefined;
      if (task.isAbandoned) continue;
      if (!isFailedStart && !isOurs && (task.isStarted || !hasStarted)) blame(task);
      else task.turn.waiting.unshift(task);
    }
    if (isBroken) this.#giveUp();
    else this.#pump();
  }

  #giveUp(): void {
    this.#failedStarts = 0;
    for (const { reject } of [...this.#turns.values()].flatMap(({ waiting }) => waiting.splice(0)))
      reject(new CoordinatorError("INTERNAL", "Cannot check programs: the checker process does not start"));
  }
}

const toRequestFrame = (
  request: { kind: string; id: number; body: unknown },
  name: string | undefined,
): Buffer => {
  try {
    return toFrame(request);
  } catch {
    throw tooComplex(name);
  }
};

const toReason = (signal: AbortSignal | undefined): Error =>
  signal?.reason instanceof CoordinatorError
    ? signal.reason
    : new CoordinatorError("RUN_CANCELLED", "Cancelled the check of the program");
