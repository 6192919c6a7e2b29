// Runs jobs in guest processes, whatever the engine: takes a warm process, or that of the session, and hands it the job.
import type {
  Executor,
  ExecutorReport,
  GuestJob,
  GuestOutcome,
  Language,
  Limits,
} from "../../contracts/index.js";
import { toCoordinatorError } from "../../contracts/index.js";
import type { GuestChannel } from "./guest-channel.js";
import type { GuestProcess } from "./guest-process.js";
import { ProcessPool } from "./process-pool.js";
import { SessionPool } from "./session-pool.js";

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

export interface ProcessExecutorOptions<Kind> {
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
