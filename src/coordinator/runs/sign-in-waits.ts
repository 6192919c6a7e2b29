// Runs that wait for a sign-in: each continues when a person has signed in, in this or another process.
import type { RunQuestion, RunResult } from "../../contracts/index.js";
import { readAccount } from "../../upstream/index.js";
import type { Host } from "../host/host.js";
import type { RunReference } from "./list-runs.js";
import type { ResumeRequest } from "./resume-run.js";

export interface SignInWaits {
  /** Polls `look` until it returns true. Replaces an earlier one of the same run. */
  readonly add: (runId: string, look: () => Promise<boolean>) => void;
  /** Starts a run again, in the background. */
  readonly start: (request: ResumeRequest) => Promise<unknown>;
  readonly close: () => void;
}

/** Short enough that a person who returns from the browser does not notice. */
export const lookEveryMs = 500;
const maxRuns = 1000;

export const openSignInWaits = (startRun: SignInWaits["start"]): SignInWaits => {
  const looks = new Map<string, () => Promise<boolean>>();
  let timer: NodeJS.Timeout | undefined;
  const close = (): void => {
    clearTimeout(timer);
    timer = undefined;
    looks.clear();
  };
  const lookAtAll = async (): Promise<void> => {
    for (const [runId, look] of [...looks]) {
      // A vault that is locked now may be open later.
      const isOver = await look().catch(() => false);
      if (isOver && looks.get(runId) === look) looks.delete(runId);
    }
    timer = undefined;
    start();
  };
  const start = (): void => {
    if (looks.size === 0 || timer !== undefined) return;
    timer = setTimeout(() => void lookAtAll(), lookEveryMs).unref();
  };
  return {
    add: (runId, look) => {
      looks.delete(runId);
      looks.set(runId, look);
      const [oldest] = looks.keys();
      if (looks.size > maxRuns && oldest !== undefined) looks.delete(oldest);
      start();
    },
    start: startRun,
    close,
  };
};

/** Whether a person has signed in since the call was refused. An older sign-in does not count, because the server refused it. */
export const isSignedIn = async (
  { configuration, vault }: Host,
  { server, since = 0 }: RunQuestion,
): Promise<boolean> => {
  const definition = configuration.servers.find(({ name }) => name === server);
  if (definition === undefined || definition.target.kind === "in-process") return false;
  const account = await readAccount(vault, { ...definition, target: definition.target });
  return account?.state === "signed in" && Date.parse(account.signedInAt ?? "") >= since;
};

/** Continues the run in the background. If several processes try, only one succeeds. */
export const continueRun = async (
  host: Host,
  run: RunReference & Pick<ResumeRequest, "output">,
  { attempt, hash, server = "" }: RunQuestion,
) => {
  await host.upstreams.forgetFailures(server);
  await host.signInWaits.start({ ...run, attempt, questionHash: hash, answer: true });
};

/** Continues a run that paused for a sign-in as soon as a person has signed in. */
export const watchSignIn = (
  host: Host,
  { workspace, output }: Pick<ResumeRequest, "workspace" | "output">,
  { runId, question, isResumable }: RunResult,
): void => {
  if (question?.kind !== "sign-in" || isResumable !== true) return;
  host.signInWaits.add(runId, async () => {
    if (!(await isSignedIn(host, question))) return false;
    // Somebody else may have resumed it, or removed it.
    await continueRun(host, { runId, workspace, output }, question).catch(() => {});
    return true;
  });
};
