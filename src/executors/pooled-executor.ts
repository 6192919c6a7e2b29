// What every out-of-process executor is: a pool for fresh runs, a pool for sessions, one wire. Only the start differs.
import type { Executor, ExecutorReport, GuestJob, Language, Limits } from "../contracts/index.js";
import type { GuestChannel } from "./guest-channel.js";
import { ProcessPool } from "./process-pool.js";
import { SessionPool } from "./session-pool.js";

export interface PooledExecutorOptions {
  readonly name: string;
  readonly languages: readonly Language[];
  readonly limits: Limits;
  /** Starts one guest process that speaks the frames of `frames.mjs`. Throws SANDBOX_UNAVAILABLE when it cannot. */
  readonly openChannel: (language: Language) => GuestChannel;
  /** A process takes one run and no second one. */
  readonly isSingleUse?: boolean;
  /** Without a run for so long, the last process is ended too. @default one is kept */
  readonly idleMs?: number;
  /** A process that waited for so long has to show that it is well before it takes a run. @default never */
  readonly checkAfterMs?: number;
  readonly inspect: () => Promise<ExecutorReport>;
  /** Ends what the executor keeps beside its guest processes. */
  readonly close?: () => Promise<void>;
}

const maxSessions = 20;
const sessionIdleMs = 30 * 60_000;

/** Opens an executor; no process is started before `warm` or the first run. */
export const openPooledExecutor = (options: PooledExecutorOptions): Executor => {
  const { name, languages, limits, openChannel, isSingleUse = false } = options;
  const pools = new Map<Language, ProcessPool>();
  const poolOf = (language: Language): ProcessPool => {
    const known = pools.get(language);
    if (known !== undefined) return known;
    const pool = new ProcessPool({
      openChannel: () => openChannel(language),
      isSingleUse,
      concurrentRuns: limits.concurrentRuns,
      ...(options.idleMs === undefined ? {} : { idleMs: options.idleMs }),
      ...(options.checkAfterMs === undefined ? {} : { checkAfterMs: options.checkAfterMs }),
    });
    pools.set(language, pool);
    return pool;
  };
  const sessions = new SessionPool({ openChannel, maxSessions, idleMs: sessionIdleMs });
  let report: Promise<ExecutorReport> | undefined;
  return {
    name,
    languages,
    inspect: () => {
      report ??= options.inspect();
      return report;
    },
    warm: () => {
      const [first] = languages;
      if (first !== undefined) poolOf(first).warm();
    },
    run: (job: GuestJob) =>
      job.session === undefined ? poolOf(job.language).run(job) : sessions.run(job, job.session),
    statistics: () => {
      const all = [...pools.values()].map((pool) => pool.statistics());
      const kept = sessions.list();
      return {
        activeRuns:
          all.reduce((sum, one) => sum + one.activeRuns, 0) + kept.filter((session) => session.isBusy).length,
        waitingRuns: all.reduce((sum, one) => sum + one.waitingRuns, 0),
        processes: all.reduce((sum, one) => sum + one.processes, 0) + kept.length,
      };
    },
    sessions: () => sessions.list(),
    resetSession: (session) => sessions.reset(session),
    close: async () => {
      await Promise.all([...[...pools.values()].map((pool) => pool.close()), sessions.close()]);
      await options.close?.();
    },
  };
};
