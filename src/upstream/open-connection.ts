// Opens a connection to a server within its timeout: start, protocol version, handshake, and a fallback if the first attempt fails.
import type { Client, ClientCapabilities, PriorDiscovery } from "@modelcontextprotocol/client";
import {
  type AnswerSettings,
  type ClientIdentity,
  CoordinatorError,
  type ProtocolVersion,
  type WiredDefinition,
  withinTime,
} from "../contracts/index.js";
import { Askers, toCapabilities } from "./answer-server.js";
import type { Environment } from "./child-environment.js";
import type { Launch } from "./launch/launcher.js";
import { repairToolList } from "./listing/to-listed.js";
import { type MessageRouter, openMessageRouter, type ServerMessageHandlers } from "./message-router.js";
import { explainFailure, type TokenSource } from "./sign-in/token-source.js";
import { loadSdk, openHttp, openStdio, type Wire, withoutUndefined } from "./transport/open-wire.js";
import {
  httpStatus,
  isLost,
  isStartFailure,
  isTimeout,
  protocolCode,
  toConnectError,
} from "./upstream-errors.js";
import { ResourceWatches } from "./watch-resources.js";

export interface ConnectPlan {
  readonly wire: "stdio" | "http" | "sse";
  /**
   * `probe` asks the server for its protocol version; over stdio with a short timeout, because silence means an old server.
   * `patient` asks with the full timeout. `legacy` and `modern` assume the version.
   */
  readonly mode: "probe" | "patient" | "legacy" | "modern";
}

const weekMs = 7 * 24 * 60 * 60 * 1000;

/** An upgraded server still answers in the old way, so the legacy version expires after a week. */
const isFresh = (version: ProtocolVersion, nowMs: number): boolean =>
  version.kind === "modern" || nowMs - Date.parse(version.decidedAt) < weekMs;

export const firstPlan = (
  kind: WiredDefinition["target"]["kind"],
  version: ProtocolVersion | undefined,
  nowMs: number,
): ConnectPlan => {
  if (kind === "sse") return { wire: "sse", mode: "legacy" };
  const known = version !== undefined && isFresh(version, nowMs) ? version.kind : undefined;
  // Over stdio the probe costs a modern server nothing compared with its start, and shows that it runs.
  if (known === "legacy" || (known === "modern" && kind === "http")) return { wire: kind, mode: known };
  return { wire: kind, mode: "probe" };
};

const isNegotiationFailure = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERA_NEGOTIATION_FAILED";

/** Returns the next attempt; undefined if nothing is left to try. */
export const nextPlan = ({ wire, mode }: ConnectPlan, error: unknown): ConnectPlan | undefined => {
  const status = httpStatus(error);
  const isRefused = status === undefined ? protocolCode(error) !== undefined : status >= 400 && status < 500;
  if (wire === "stdio") {
    if (isStartFailure(error)) return undefined;
    // Some old servers exit or stop answering after an unknown request.
    const isUnusable = isNegotiationFailure(error) || isLost(error) || isTimeout(error);
    if (mode === "probe" && isUnusable) return { wire, mode: "legacy" };
    return mode !== "patient" && isRefused ? { wire, mode: "patient" } : undefined;
  }
  if (wire === "sse" || status === 401 || status === 403) return undefined;
  if (mode !== "probe") return isRefused || isNegotiationFailure(error) ? { wire, mode: "probe" } : undefined;
  // The specification's rule for old HTTP+SSE servers.
  return status !== undefined && isRefused ? { wire: "sse", mode: "legacy" } : undefined;
};

/** What is known about a server's process; empty for a remote server. */
export interface ProcessReport {
  readonly exitCode?: number | undefined;
  readonly signal?: string | undefined;
  /** The tail of its stderr. */
  readonly stderr?: string | undefined;
  /** The tail of its stdout that was not a message. */
  readonly stdout?: string | undefined;
}

/** A connection whose handshake is done. */
export interface Connection {
  readonly client: Client;
  /** The calls that the server may ask back. */
  readonly askers: Askers;
  /** The log messages that a server of the 2026 protocol should send with its calls. */
  readonly logs: AnswerSettings["logs"];
  readonly watches: ResourceWatches;
  /** For requests that are passed on as they are. */
  readonly router: MessageRouter;
  readonly version: ProtocolVersion;
  /** The protocol version comes from the cache, and no answer has confirmed it yet. */
  readonly isAssumed: boolean;
  /** The transport in use. A server configured as `http` may turn out to be an old one that speaks `sse`. */
  readonly wire: "stdio" | "http" | "sse";
  readonly processId?: number | undefined;
  readonly sessionId: () => string | undefined;
  readonly report: () => ProcessReport;
  /** Why we closed it ourselves, e.g. after an answer that was too large. */
  readonly failure: () => CoordinatorError | undefined;
  readonly close: () => Promise<void>;
}

export interface OpenConnectionOptions {
  readonly definition: WiredDefinition;
  /** The program to start instead of the definition's command. */
  readonly launch?: Launch | undefined;
  /** The protocol version as detected before. */
  readonly version: ProtocolVersion | undefined;
  readonly connectTimeoutMs: number;
  readonly maxAnswerBytes: number;
  readonly client: { readonly name: string; readonly version: string };
  readonly answers: AnswerSettings;
  readonly askTimeoutMs: number;
  /** What we declare to the server. @default what `answers` allow */
  readonly capabilities?: ClientIdentity["capabilities"] | undefined;
  /** Receives requests and notifications of the server. @default the call that is in progress answers them */
  readonly handlers?: ServerMessageHandlers | undefined;
  readonly environment: Environment;
  /** For a server that may require a sign-in. */
  readonly tokens?: TokenSource | undefined;
  readonly signal: AbortSignal;
  /** Called when a process or connection is started. */
  readonly onStart: (report: () => ProcessReport) => void;
  /** Receives work that continues after a failed start: ending its process. */
  readonly onTask: (work: Promise<void>) => void;
}

/** Maximum wait for the answer to the probe over stdio. The rest of the timeout is for the handshake. */
const maxProbeMs = 4000;

/** Replaces the schema compiler that the SDK would create for each client. We do not validate results here. */
const noValidator = {
  getValidator: () => () => ({ valid: false, data: undefined, errorMessage: "unused" }) as const,
};

const toPrior = (plan: ConnectPlan, version: ProtocolVersion | undefined): PriorDiscovery | undefined => {
  if (plan.mode === "legacy") return { kind: "legacy" };
  if (plan.mode !== "modern" || version?.kind !== "modern") return undefined;
  return {
    kind: "modern",
    discover: version.discover as Extract<PriorDiscovery, { kind: "modern" }>["discover"],
  };
};

const toVersion = (
  client: Client,
  plan: ConnectPlan,
  before: ProtocolVersion | undefined,
): ProtocolVersion => {
  const decidedAt = new Date().toISOString();
  if (client.getProtocolEra() === "modern")
    return { kind: "modern", decidedAt, discover: client.getDiscoverResult() };
  // The version was assumed, so its date stays.
  return plan.mode === "legacy" && before?.kind === "legacy" ? before : { kind: "legacy", decidedAt };
};

export const openConnection = async (options: OpenConnectionOptions): Promise<Connection> => {
  const { definition, launch, version, connectTimeoutMs, maxAnswerBytes, signal } = options;
  const { target, name: server } = definition;
  const deadline = performance.now() + connectTimeoutMs;
  const attempt = `Cannot ${target.kind === "stdio" ? "start" : "reach"} "${server}"`;
  const sdkLoading = loadSdk();
  // A start may fail before anybody awaits this, which must not be an unhandled rejection.
  sdkLoading.catch(() => {});

  let failure: CoordinatorError | undefined;
  /** Our own end must not interrupt an installation; a failure may. */
  let mayInstall = launch?.first !== undefined;
  const mayBeInstalling = (): boolean => mayInstall;
  const open = async (plan: ConnectPlan, onTooLarge: () => void, onFlood: () => void): Promise<Wire> =>
    target.kind === "stdio"
      ? openStdio({ ...options, server, target, mayBeInstalling, onFlood })
      : openHttp({
          sdk: await sdkLoading,
          wire: plan.wire === "sse" ? "sse" : "http",
          target,
          maxAnswerBytes,
          onTooLarge,
          onFlood,
          tokens: options.tokens,
        });

  const connect = async (plan: ConnectPlan, wire: Wire, timeMs: number): Promise<Connection> => {
    const { Client } = await sdkLoading;
    const isQuickProbe = plan.mode === "probe" && plan.wire === "stdio";
    const client = new Client(options.client, {
      capabilities:
        (options.capabilities as ClientCapabilities | undefined) ?? toCapabilities(options.answers),
      versionNegotiation: {
        mode: "auto",
        probe: { timeoutMs: isQuickProbe ? Math.min(maxProbeMs, timeMs / 3) : timeMs },
      },
      inputRequired: { autoFulfill: false },
      jsonSchemaValidator: noValidator,
    });
    const askers = new Askers();
    if (options.handlers === undefined) askers.attach(client, options.answers, options.askTimeoutMs);
    // Set before the SDK sets its own, so that it is called first, with the same message.
    wire.transport.onmessage = repairToolList;
    const prior = toPrior(plan, version);
    await client.connect(wire.transport, { timeout: timeMs, ...withoutUndefined({ prior }) });
    if (options.handlers === undefined) askers.watchLogs(client, options.answers);
    const found = toVersion(client, plan, version);
    const watches = new ResourceWatches(client);
    const { onclose } = wire.transport;
    wire.transport.onclose = () => {
      watches.loseAll();
      onclose?.();
    };
    return {
      client,
      askers,
      logs: options.answers.logs,
      watches,
      router: openMessageRouter({
        transport: wire.transport,
        protocol: found.kind,
        handlers: options.handlers,
      }),
      version: found,
      isAssumed: plan.mode === "modern",
      wire: plan.wire,
      processId: wire.processId,
      sessionId: () => wire.transport.sessionId,
      report: wire.report,
      failure: () => failure,
      close: wire.close,
    };
  };

  let lastStderr = "";
  let plan = firstPlan(target.kind, version, Date.now());
  for (;;) {
    const leftMs = Math.max(1, deadline - performance.now());
    // Reserve a quarter of the time for a second start, in case the probe silenced the server.
    const timeMs = plan.wire === "stdio" && plan.mode === "probe" ? leftMs * 0.75 : leftMs;
    let wire: Wire | undefined;
    try {
      const giveUp = (reason: CoordinatorError): void => {
        failure = reason;
        void opened.close();
      };
      const opened: Wire = await open(
        plan,
        () =>
          giveUp(
            new CoordinatorError(
              "LIMIT_ANSWER",
              `Cannot read from "${server}": an answer is larger than ${maxAnswerBytes} bytes, the limit "answerBytes"`,
            ),
          ),
        () =>
          giveUp(
            new CoordinatorError(
              "UPSTREAM_FAILED",
              `Cannot read from "${server}": it floods the connection with unsolicited messages`,
              { hint: "Report it to the server's author; the next call starts it again." },
            ),
          ),
      );
      wire = opened;
      options.onStart(wire.report);
      const connection = await withinTime(connect(plan, wire, timeMs), { timeMs, signal });
      mayInstall = false;
      return connection;
    } catch (error) {
      mayInstall &&= signal.aborted;
      const closing = wire?.close() ?? Promise.resolve();
      options.onTask(closing);
      const next: ConnectPlan | undefined = signal.aborted ? undefined : nextPlan(plan, error);
      const latest = wire?.report() ?? {};
      // A second start that was cut short may not have printed anything.
      const report: ProcessReport = { ...latest, stderr: latest.stderr || lastStderr };
      lastStderr = report.stderr ?? "";
      if (next === undefined || performance.now() >= deadline) {
        const installed = await launch?.readInstalled?.().catch(() => undefined);
        const failed = toConnectError(error, {
          definition,
          attempt,
          maxAnswerBytes,
          timeoutMs: connectTimeoutMs,
          timeoutName: "connectTimeoutMs",
          report,
          installed,
        });
        throw await explainFailure(options.tokens, error, failed, attempt);
      }
      // Two processes of one server could conflict.
      const waitMs = Math.max(1, deadline - performance.now());
      await withinTime(closing, { timeMs: waitMs, signal }).catch(() => {});
      mayInstall = launch?.first !== undefined;
      plan = next;
    }
  }
};
