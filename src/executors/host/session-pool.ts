// Guest processes with state: one process per session, its runs one after the other.
import type { GuestJob, Language, SessionFacts } from "../../contracts/index.js";
import { CoordinatorError } from "../../contracts/index.js";
import type { GuestChannel } from "./guest-channel.js";
import { GuestProcess } from "./guest-process.js";

export interface SessionPoolOptions {
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

export class SessionPool {
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
