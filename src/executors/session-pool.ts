// Guest processes that keep their state: one process a session, its runs one after the other.
import type { GuestJob, GuestOutcome, Language, SessionFacts } from "../contracts/index.js";
import { CoordinatorError } from "../contracts/index.js";
import type { GuestChannel } from "./guest-channel.js";
import { GuestProcess } from "./guest-process.js";

export interface SessionPoolOptions {
  readonly openChannel: (language: Language) => GuestChannel;
  readonly maxSessions: number;
  /** A session that was not used for so long is forgotten. */
  readonly idleMs: number;
}

interface Session {
  readonly name: string;
  readonly language: Language;
  readonly process: GuestProcess;
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

  /** Runs a job in its session, after those that came before it. The session is made when there is none. */
  async run(job: GuestJob, name: string): Promise<GuestOutcome> {
    const session = this.#open(name, job.language);
    const turn = session.last.then(() => this.#take(session, job));
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

  /** Watches the memory of the sessions that are at work. */
  watchMemory(): void {
    for (const { process } of this.#sessions.values()) process.watchMemory();
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

  #open(name: string, language: Language): Session {
    const known = this.#sessions.get(name);
    if (known !== undefined && !known.process.isDead) {
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
          hint: "Reset one that is no longer needed.",
        },
      );
    }
    const channel = this.#options.openChannel(language);
    channel.unref();
    const process = new GuestProcess(channel);
    const session: Session = {
      name,
      language,
      process,
      last: Promise.resolve(),
      runs: 0,
      usedAt: performance.now(),
      idleTimer: undefined,
    };
    this.#sessions.set(name, session);
    return session;
  }

  async #take(session: Session, job: GuestJob): Promise<GuestOutcome> {
    clearTimeout(session.idleTimer);
    // The state is gone with the process: the next run of that name starts a new session.
    session.process.onChange = () => {
      if (session.process.isDead && this.#sessions.get(session.name) === session)
        this.#sessions.delete(session.name);
    };
    await session.process.becomeReady();
    session.runs++;
    session.usedAt = performance.now();
    try {
      return await session.process.run(job);
    } finally {
      session.usedAt = performance.now();
      session.idleTimer = setTimeout(() => void this.reset(session.name), this.#options.idleMs).unref();
    }
  }
}
