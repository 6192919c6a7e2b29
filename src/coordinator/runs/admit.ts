// The first step of a run: apply plugins, find out what the run may do, refuse impossible requests.
import {
  CoordinatorError,
  type Journal,
  type Language,
  type Limits,
  type RunRequest,
} from "../../contracts/index.js";
import { checkSize } from "../checks/collect-adapters.js";
import { forRun, type Host } from "../host/host.js";
import { type OpenRunMeter, openRunMeter } from "./run-meter.js";
import { simulateServers } from "./simulated-servers.js";
import { type RunRights, toRunRights } from "./to-run-rights.js";

/** A run from its request to its result. */
export interface Run {
  readonly runId: string;
  readonly startedAt: number;
  readonly host: Host;
  readonly journal: Journal;
  readonly meter: OpenRunMeter;
  /** Ends the check if it takes too long, or if the caller cancels the run. */
  readonly checkSignal: AbortSignal;
  readonly startCheck: (timeoutMs: number) => void;
  readonly endCheck: () => void;
  /** What guardrails say that do not block. */
  readonly warnings: Set<string>;
  /** As plugins changed it, once the run is admitted. */
  request: RunRequest;
  outputTokens: number;
}

export interface AdmittedRun extends Run {
  readonly language: Language;
  readonly rights: RunRights;
}

export const openRun = (
  all: Host,
  request: RunRequest,
  journal: Journal,
  { isDirect }: { readonly isDirect?: boolean | undefined } = {},
): Run => {
  const host = simulateServers(all, request);
  host.counters.runs++;
  const { runId } = journal;
  const timeout = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  return {
    runId,
    startedAt: performance.now(),
    host,
    journal,
    meter: openRunMeter({ runId, request, counter: host.tokens, ledger: host.ledger, isDirect }),
    checkSignal:
      request.signal === undefined ? timeout.signal : AbortSignal.any([timeout.signal, request.signal]),
    startCheck: (timeoutMs) => {
      timer = setTimeout(() => timeout.abort(checkTimeout(timeoutMs)), timeoutMs);
    },
    endCheck: () => clearTimeout(timer),
    warnings: new Set(),
    request,
    outputTokens: host.configuration.settings.limits.outputTokens,
  };
};

/** Throws for a request that cannot be run. */
export const admit = async (run: Run): Promise<AdmittedRun> => {
  const { host, runId, startedAt } = run;
  const beforeRun = host.plugins?.beforeRun;
  if (beforeRun !== undefined) {
    const { signal } = run.request;
    const { timeoutMs } = toRunRights(host, run.request).limits;
    run.request = await beforeRun(runId, run.request, { signal, timeoutMs });
  }
  const { request } = run;
  const rights = toRunRights(host, request);
  const { timeoutMs, outputTokens } = rights.limits;
  run.outputTokens = outputTokens;
  checkRequest(request, rights.limits);
  run.startCheck(timeoutMs + moreCheckMs);
  const installWait = { timeoutMs, untilMs: startedAt + timeoutMs, onProgress: request.onProgress };
  return {
    ...run,
    host: { ...forRun(host, request, run.checkSignal), installWait },
    language: request.language ?? "typescript",
    rights,
  };
};

/** The check may take as long as the run, and this much more: to start the checker, and to report a package whose installation took all of that time. */
const moreCheckMs = 10_000;

const checkTimeout = (checkMs: number): CoordinatorError =>
  new CoordinatorError("LIMIT_TIME", `Stopped the program after ${checkMs} ms: its check had not finished`, {
    hint: "Nothing was run. Try again, or shorten the program.",
  });

const sessionName = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u;

const checkRequest = ({ session, mode, simulate, code }: RunRequest, limits: Limits): void => {
  if (session !== undefined && (mode === "plan" || simulate !== undefined))
    throw new CoordinatorError(
      "USAGE",
      `Cannot ${mode === "plan" ? "make a plan" : "simulate"} in a session: its variables would contain made-up values afterwards`,
      { hint: "Omit the session." },
    );
  if (session !== undefined && !sessionName.test(session))
    throw new CoordinatorError(
      "USAGE",
      `Cannot use the session ${JSON.stringify(session.slice(0, 80))}: expected up to 64 letters, digits, ".", "_" or "-"`,
    );
  checkSize(Buffer.byteLength(code), 0, limits.codeBytes);
};
