// The first step of a run: apply plugins, find out what the run may do, refuse impossible requests.
import {
  CoordinatorError,
  type Journal,
  type Language,
  type Limits,
  type Listing,
  type RunRequest,
  toCoordinatorError,
} from "../../contracts/index.js";
import { checkSize } from "../checks/collect-adapters.js";
import { forRun, type Host } from "../host/host.js";
import { type OpenRunMeter, openRunMeter } from "./run-meter.js";
import { type RunRights, toRunRights } from "./run-rights.js";

/** A run from its request to its result. */
export interface Run {
  readonly runId: string;
  readonly startedAt: number;
  readonly host: Host;
  readonly journal: Journal;
  readonly meter: OpenRunMeter;
  /** Aborts the steps before the start if they take too long, or if the caller cancels the run. */
  readonly startSignal: AbortSignal;
  readonly startDeadline: (timeoutMs: number) => void;
  readonly endDeadline: () => void;
  /** Messages of guardrails that warn instead of blocking. */
  readonly warnings: Set<string>;
  /** As plugins changed it, once the run is admitted. */
  request: RunRequest;
  outputTokens: number;
}

export interface AdmittedRun extends Run {
  readonly language: Language;
  readonly rights: RunRights;
}

export const beginRun = (
  all: Host,
  request: RunRequest,
  journal: Journal,
  { isDirect, isTest }: { readonly isDirect: boolean; readonly isTest: boolean },
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
    meter: openRunMeter({
      runId,
      request,
      counter: host.tokens,
      tokenSums: host.tokenSums,
      isDirect,
      isTallied: !isTest && !isSimulation(request),
    }),
    startSignal:
      request.signal === undefined ? timeout.signal : AbortSignal.any([timeout.signal, request.signal]),
    startDeadline: (timeoutMs) => {
      timer = setTimeout(() => timeout.abort(checkTimeout(timeoutMs)), timeoutMs);
    },
    endDeadline: () => clearTimeout(timer),
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
  run.startDeadline(timeoutMs + moreStartMs);
  const installWait = { timeoutMs, untilMs: startedAt + timeoutMs, onProgress: request.onProgress };
  return {
    ...run,
    host: { ...forRun(host, request, run.startSignal), installWait },
    language: request.language ?? "typescript",
    rights,
  };
};

/** The check may take as long as the run, and this much more: to start the checker, and to report a package whose installation took all of that time. */
const moreStartMs = 10_000;

const checkTimeout = (checkMs: number): CoordinatorError =>
  new CoordinatorError("LIMIT_TIME", `Stopped the program after ${checkMs} ms: its check had not finished`, {
    hint: "Nothing was run. Try again, or shorten the program.",
  });

const sessionName = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u;

const checkRequest = (request: RunRequest, limits: Limits): void => {
  const { session, mode, code } = request;
  if (session !== undefined && (mode === "plan" || isSimulation(request)))
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

export const isSimulated = ({ simulate }: Pick<RunRequest, "simulate">, server: string): boolean =>
  simulate === true || (Array.isArray(simulate) && simulate.includes(server));

/** Whether any server is simulated. */
export const isSimulation = ({ simulate }: { readonly simulate?: unknown }): boolean =>
  simulate !== undefined && simulate !== false;

/** The tools of simulated servers come from stored listings, so they need no connection and no variables. Returns the same host if nothing is simulated. */
const simulateServers = (host: Host, request: RunRequest): Host => {
  if (!isSimulation(request)) return host;
  const { upstreams } = host;
  const list: typeof upstreams.list = async (server, options) => {
    if (!isSimulated(request, server)) return upstreams.list(server, options);
    const known: Listing | undefined = await upstreams.peekStored(server);
    if (known !== undefined) return known;
    try {
      return await upstreams.list(server, options);
    } catch (thrown) {
      const { code, message } = toCoordinatorError(thrown);
      throw new CoordinatorError(
        code,
        `Cannot simulate "${server}": its tools are not known yet. ${message}`,
        {
          hint: `Connect it once ("mcp-coordinator tools ${server}"): its tools are then stored, and later simulations need no connection.`,
        },
      );
    }
  };
  return {
    ...host,
    // A copy: other runs must not take these catalogs for those of connected servers.
    catalogs: new Map(host.catalogs),
    upstreams: {
      ...upstreams,
      list,
      connect: (server) => {
        if (!isSimulated(request, server)) upstreams.connect(server);
      },
      renew: async (server) => {
        if (!isSimulated(request, server)) await upstreams.renew(server);
      },
    },
  };
};
