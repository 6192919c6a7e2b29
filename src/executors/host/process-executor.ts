// The common part of every out-of-process executor: a pool for fresh runs, a pool for sessions, one wire format. Only the start differs.
import type { Executor, ExecutorReport, GuestJob, Language, Limits } from "../../contracts/index.js";
import type { GuestChannel } from "./guest-channel.js";
import { ProcessPool } from "./process-pool.js";
import { SessionPool } from "./session-pool.js";

/** What determines the kind of process a job needs. */
export type GuestNeeds = Pick<GuestJob, "language" | "libraries" | "session">;

export interface PooledExecutorOptions<Kind> {
  readonly name: string;
  readonly languages: readonly Language[];
  readonly limits: Limits;
  /** Equal for jobs that the same processes can take. */
  readonly kindOf: (needs: GuestNeeds) => Kind;
  /** Starts one guest process that speaks the frames of `frames.mjs`. Throws SANDBOX_UNAVAILABLE if it cannot. */
  readonly openChannel: (kind: Kind) => GuestChannel;
  /** A process takes only one run. */
  readonly isSingleUse?: boolean | undefined;
  /** After this idle time the last process is ended too. @default one stays */
  readonly idleMs?: number | undefined;
  /** After this idle time a process must pass a health check before it takes a run. @default never */
  readonly checkAfterMs?: number | undefined;
  readonly inspect: () => Promise<ExecutorReport>;
  /** Closes what the executor holds besides its guest processes. */
  readonly close?: (() => Promise<void>) | undefined;
}

const maxSessions = 20;
const sessionIdleMs = 30 * 60_000;

/** No process is started before `warm` or the first run. */
export const openPooledExecutor = <Kind>(options: PooledExecutorOptions<Kind>): Executor => {
  const { name, languages, limits, kindOf, openChannel, isSingleUse = false } = options;
  const pool = new ProcessPool({
    openChannel,
    isSingleUse,
    concurrentRuns: limits.concurrentRuns,
    maxHostBytes: limits.allBytesInFlight,
    idleMs: options.idleMs,
    checkAfterMs: options.checkAfterMs,
  });
  const sessions = new SessionPool({
    openChannel: (job) => openChannel(kindOf(job)),
    maxSessions,
    idleMs: sessionIdleMs,
    maxHostBytes: limits.allBytesInFlight,
  });
  let report: Promise<ExecutorReport> | undefined;
  return {
    name,
    languages,
    inspect: () => {
      report ??= options.inspect();
      return report;
    },
    warm: () => {
      const [language] = languages;
      if (language !== undefined) pool.warm(kindOf({ language, libraries: [] }));
    },
    run: (job: GuestJob) =>
      job.session === undefined ? pool.run(job, kindOf(job)) : sessions.run(job, job.session),
    statistics: () => {
      const { activeRuns, waitingRuns, processes } = pool.statistics();
      const kept = sessions.list();
      return {
        activeRuns: activeRuns + kept.filter((session) => session.isBusy).length,
        waitingRuns,
        processes: processes + kept.length,
      };
    },
    sessions: () => sessions.list(),
    resetSession: (session) => sessions.reset(session),
    close: async () => {
      await Promise.all([pool.close(), sessions.close()]);
      await options.close?.();
    },
  };
};
