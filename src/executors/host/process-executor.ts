// An executor of guest processes: takes a warm process from the pool, or that of the session, whose runs follow one another.
import {
  CoordinatorError,
  type Executor,
  type ExecutorReport,
  type GuestJob,
  type GuestOutcome,
  type Language,
  type Limits,
  type SessionFacts,
  toCoordinatorError,
} from "../../contracts/index.js";
import type { GuestChannel } from "./guest-channel.js";
import { GuestProcess } from "./guest-process.js";
import { ProcessPool } from "./process-pool.js";

/** What determines the kind of process a job needs. */
export type GuestNeeds = Pick<GuestJob, "language" | "libraries" | "session">;

/** A kind of sandbox: what to start for a job, and what protects the machine from it. */
export interface Engine<Kind> {
  readonly name: string;
  readonly languages: readonly Language[];
  /** Equal for jobs that the same processes can take. */
  readonly kindOf: (needs: GuestNeeds) => Kind;
  /** Starts one guest process that speaks the frames of `frames.mjs`. Throws SANDBOX_UNAVAILABLE if it cannot. */
  readonly start: (kind: Kind) => GuestChannel;
  /** Reports walls and gaps. Throws SANDBOX_UNAVAILABLE if it cannot run here. */
  readonly inspect: () => ExecutorReport | Promise<ExecutorReport>;
  /** A process takes only one run. */
  readonly isSingleUse?: boolean | undefined;
  /** After this idle time the last process is ended too. @default one stays */
  readonly idleMs?: number | undefined;
  /** After this idle time a process must pass a health check before it takes a run. @default never */
  readonly checkAfterMs?: number | undefined;
  /** Closes what the engine holds besides its guest processes. */
  readonly close?: (() => Promise<void>) | undefined;
}

interface ProcessExecutorOptions<Kind> {
  readonly engine: Engine<Kind>;
  readonly limits: Limits;
}

const maxSessions = 20;
const sessionIdleMs = 30 * 60_000;

/** No process is started before `warm` or the first run. */
export const openProcessExecutor = <Kind>({ engine, limits }: ProcessExecutorOptions<Kind>): Executor => {
  const { name, languages, kindOf, start } = engine;
  const { concurrentRuns, allBytesInFlight: maxHostBytes } = limits;
  const { isSingleUse, idleMs, checkAfterMs } = engine;
  const pool = new ProcessPool({ start, isSingleUse, concurrentRuns, maxHostBytes, idleMs, checkAfterMs });
  const sessions = new SessionPool({
    start: (job) => start(kindOf(job)),
    maxSessions,
    idleMs: sessionIdleMs,
    maxHostBytes,
  });
  return {
    name,
    languages,
    inspect: async () => {
      try {
        return await engine.inspect();
      } catch (thrown) {
        const { message, hint } = toCoordinatorError(thrown);
        const reason = message.replace(`Cannot start the sandbox "${name}": `, "");
        return { isAvailable: false, reason, fix: hint, walls: [], gaps: [] };
      }
    },
    warm: () => {
      const [language] = languages;
      if (language !== undefined) pool.warm(kindOf({ language, libraries: [] }));
    },
    run: async (job) => {
      const send = (process: GuestProcess): Promise<GuestOutcome> => process.run(job);
      if (job.session !== undefined) return sessions.use(job, job.session, send);
      const need = { kind: kindOf(job), workspace: job.workspace ?? "" };
      const outcome = await pool.use(need, send, job.signal);
      return outcome ?? { status: "stopped", reason: "cancelled", logs: [] };
    },
    statistics: () => {
      const { activeRuns, waitingRuns, processes } = pool.statistics();
      const open = sessions.list();
      return {
        activeRuns: activeRuns + open.filter((session) => session.isBusy).length,
        waitingRuns,
        processes: processes + open.length,
      };
    },
    sessions: () => sessions.list(),
    resetSession: (session) => sessions.reset(session),
    close: async () => {
      await Promise.all([pool.close(), sessions.close()]);
      await engine.close?.();
    },
  };
};

interface SessionPoolOptions {
  /** Starts the process of a session, for its first job. */
  readonly start: (job: GuestJob) => GuestChannel;
  readonly maxSessions: number;
  /** A session unused for this long is dropped. */
  readonly idleMs: number;
  /** For all runs of this host together: see `allBytesInFlight`. */
  readonly maxHostBytes: number;
}

const watchEveryMs = 50;

interface Session {
  readonly name: string;
  readonly language: Language;
  readonly workspace: string | undefined;
  process: GuestProcess;
  last: Promise<unknown>;
  runs: number;
  usedAt: number;
  idleTimer: NodeJS.Timeout | undefined;
}

class SessionPool {
  readonly #options: SessionPoolOptions;
  readonly #sessions = new Map<string, Session>();

  constructor(options: SessionPoolOptions) {
    this.#options = options;
  }

  /** Lends a session's process to one run, after earlier ones. Creates the session if there is none. */
  async use<Result>(
    job: GuestJob,
    name: string,
    run: (process: GuestProcess) => Promise<Result>,
  ): Promise<Result> {
    const session = this.#open(name, job);
    const turn = session.last.then(async () => {
      // An idle guest process does not keep the host alive; a run does, and its memory is watched.
      const watch = setInterval(() => session.process.watch(), watchEveryMs);
      try {
        await this.#take(session, job);
        return await run(session.process);
      } finally {
        clearInterval(watch);
        session.usedAt = performance.now();
        session.idleTimer = setTimeout(() => {
          if (this.#sessions.get(name) === session) void this.reset(name);
        }, this.#options.idleMs).unref();
      }
    });
    session.last = turn.catch(() => {});
    return turn;
  }

  list(): readonly SessionFacts[] {
    return [...this.#sessions.values()].map(({ name, language, runs, usedAt, process }) => ({
      name,
      language,
      runs,
      idleMs: Math.round(performance.now() - usedAt),
      isBusy: process.isBusy,
    }));
  }

  async reset(name: string): Promise<boolean> {
    const session = this.#sessions.get(name);
    if (session === undefined) return false;
    this.#sessions.delete(name);
    clearTimeout(session.idleTimer);
    await session.process.close();
    return true;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sessions.keys()].map((name) => this.reset(name)));
  }

  #open(name: string, job: GuestJob): Session {
    const { language, workspace } = job;
    const known = this.#sessions.get(name);
    if (known !== undefined && !known.process.isDead) {
      if (known.workspace !== workspace)
        throw new CoordinatorError(
          "USAGE",
          `Cannot use the session "${name}": it belongs to another workspace`,
        );
      if (known.language === language) return known;
      throw new CoordinatorError(
        "USAGE",
        `Cannot run ${language} in the session "${name}": it is a ${known.language} session`,
      );
    }
    if (this.#sessions.size >= this.#options.maxSessions && known === undefined) {
      throw new CoordinatorError(
        "USAGE",
        `Cannot open the session "${name}": there are ${this.#sessions.size} already`,
        {
          hint: "Reset a session that is no longer needed.",
        },
      );
    }
    const session: Session = {
      name,
      language,
      workspace,
      process: this.#start(job),
      last: Promise.resolve(),
      runs: 0,
      usedAt: performance.now(),
      idleTimer: undefined,
    };
    this.#sessions.set(name, session);
    return session;
  }

  #start(job: GuestJob): GuestProcess {
    const channel = this.#options.start(job);
    channel.unref();
    return new GuestProcess(channel, this.#options.maxHostBytes);
  }

  async #becomeReady(session: Session): Promise<void> {
    // The state is lost with the process: the next run of that name starts a new session.
    session.process.onChange = () => {
      if (session.process.isDead && this.#sessions.get(session.name) === session)
        this.#sessions.delete(session.name);
    };
    await session.process.becomeReady();
  }

  /** Resolves when its process can take a run. */
  async #take(session: Session, job: GuestJob): Promise<void> {
    clearTimeout(session.idleTimer);
    try {
      await this.#becomeReady(session);
    } catch (error) {
      // As in a pool: one failed start can be a coincidence, two cannot.
      if (session.runs > 0) throw error;
      session.process = this.#start(job);
      this.#sessions.set(session.name, session);
      await this.#becomeReady(session);
    }
    session.runs++;
    session.usedAt = performance.now();
  }
}
