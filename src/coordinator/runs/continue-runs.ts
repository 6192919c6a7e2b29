// Continues stored runs after a sign-in: those whose own process has ended.
import { setTimeout as delay } from "node:timers/promises";
import type { RunQuestion, RunResult } from "../../contracts/index.js";
import type { Host } from "../host/host.js";
import { hashQuestion, readAsked } from "./answer-question.js";
import { type RunReference, readRun } from "./list-runs.js";
import { continueRun, isSignedIn, lookEveryMs } from "./sign-in-waits.js";
import { waitForRun } from "./start-run.js";

/** A run that waited for a sign-in. */
export interface ContinuedRun {
  readonly runId: string;
  /** How it ended, or what it waits for now. Undefined: another process continues it. */
  readonly result?: RunResult | undefined;
}

/** The question of a run, if it is a sign-in that the run still waits for. */
const readWaiting = async (host: Host, run: RunReference): Promise<RunQuestion | undefined> => {
  const { recorded } = await readRun(host, run);
  const question = recorded.status === "paused" ? readAsked(recorded) : undefined;
  if (question?.kind !== "sign-in") return undefined;
  const { runId, attempt } = recorded;
  return { ...question, attempt, hash: hashQuestion({ runId, attempt, question }) };
};

/** A process that has the run's client gets this long to continue it itself. */
const headStartMs = 3000;
const maxListed = 200;

/** Continues the runs that wait for a sign-in to this server and whose own process has ended. Resolves when they have ended. */
export const continueRuns = async (
  host: Host,
  { server }: { readonly server: string },
): Promise<readonly ContinuedRun[]> => {
  await host.deferred.flush();
  const { runs } = await host.workspaces.open(undefined);
  const paused = (await runs.list({ limit: maxListed })).filter(({ status }) => status === "paused");
  const waiting = await Promise.all(
    paused.map(async ({ runId }) => ({ runId, question: await readWaiting(host, { runId }) })),
  );
  const ready = await Promise.all(
    waiting.map(async ({ runId, question }) =>
      question?.server === server && (await isSignedIn(host, question)) ? [{ runId, question }] : [],
    ),
  );
  return Promise.all(
    ready.flat().map(async ({ runId, question }) => {
      const untilMs = performance.now() + headStartMs;
      const isWaiting = async () => (await readWaiting(host, { runId }))?.hash === question.hash;
      while (performance.now() < untilMs && (await isWaiting())) await delay(lookEveryMs / 2);
      if (!(await isWaiting())) return { runId };
      try {
        await continueRun(host, { runId }, question);
      } catch {
        return { runId };
      }
      return { runId, result: (await waitForRun(host, { runId })).result };
    }),
  );
};
