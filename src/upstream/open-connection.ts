// Opens a connection to a server within its time limit: start, era, handshake, and a second way when the first fails.
import type { Client, PriorDiscovery } from "@modelcontextprotocol/client";
import { CoordinatorError, type EraVerdict, type WiredDefinition } from "../contracts/index.js";
import type { Environment } from "./child-environment.js";
import { type ConnectPlan, firstPlan, nextPlan } from "./connect-plan.js";
import type { Connection, ProcessReport } from "./connection.js";
import type { Launch } from "./launch/launcher.js";
import { openHttp, openStdio, type Sdk, type Wire } from "./open-wire.js";
import { repairToolList } from "./to-listed.js";
import { type FailureContext, toConnectError } from "./to-upstream-error.js";
import { withinTime } from "./within-time.js";

export interface OpenConnectionOptions {
  readonly definition: WiredDefinition;
  /** What is started in place of the definition's command. */
  readonly launch?: Launch | undefined;
  /** The era as it was found before. */
  readonly verdict: EraVerdict | undefined;
  readonly connectTimeoutMs: number;
  readonly maxAnswerBytes: number;
  readonly client: { readonly name: string; readonly version: string };
  readonly environment: Environment;
  readonly signal: AbortSignal;
  /** A process or connection was started. */
  readonly onStart: (report: () => ProcessReport) => void;
  /** Work that goes on after the failure of a start: the end of its process. */
  readonly onLeftover: (work: Promise<void>) => void;
}

/** How long a server behind a pipe may think about the probe; the rest of its time belongs to the handshake. */
const maxProbeMs = 4000;

const loadSdk = (): Promise<Sdk> => import("@modelcontextprotocol/client");

/** The SDK would make a schema compiler for each client; nothing here validates results. */
const noValidator = {
  getValidator: () => () => ({ valid: false, data: undefined, errorMessage: "unused" }) as const,
};

const toPrior = (plan: ConnectPlan, verdict: EraVerdict | undefined): PriorDiscovery | undefined => {
  if (plan.mode === "legacy") return { kind: "legacy" };
  if (plan.mode !== "modern" || verdict?.kind !== "modern") return undefined;
  return {
    kind: "modern",
    discover: verdict.discover as Extract<PriorDiscovery, { kind: "modern" }>["discover"],
  };
};

const toVerdict = (client: Client, plan: ConnectPlan, before: EraVerdict | undefined): EraVerdict => {
  const decidedAt = new Date().toISOString();
  if (client.getProtocolEra() === "modern")
    return { kind: "modern", decidedAt, discover: client.getDiscoverResult() };
  // A verdict that was only taken over keeps its age.
  return plan.mode === "legacy" && before?.kind === "legacy" ? before : { kind: "legacy", decidedAt };
};

export const openConnection = async (options: OpenConnectionOptions): Promise<Connection> => {
  const { definition, launch, verdict, connectTimeoutMs, maxAnswerBytes, signal } = options;
  const { target, name: server } = definition;
  const deadline = performance.now() + connectTimeoutMs;
  const attempt = `Cannot ${target.kind === "stdio" ? "start" : "reach"} "${server}"`;
  const sdkLoading = loadSdk();
  // Whoever awaits it hears of the failure; a start that fails before that must not make it an unhandled one.
  sdkLoading.catch(() => {});

  let failure: CoordinatorError | undefined;
  /** Our own end is no reason to break off an installation; a failure is. */
  let mayInstall = launch?.first !== undefined;
  const isSpared = (): boolean => mayInstall;
  const open = async (plan: ConnectPlan, onTooLarge: () => void, onFlood: () => void): Promise<Wire> =>
    target.kind === "stdio"
      ? openStdio({ ...options, server, target, isSpared, onFlood })
      : openHttp({
          sdk: await sdkLoading,
          wire: plan.wire === "sse" ? "sse" : "http",
          target,
          maxAnswerBytes,
          onTooLarge,
          onFlood,
        });

  const connect = async (plan: ConnectPlan, wire: Wire, timeMs: number): Promise<Connection> => {
    const { Client } = await sdkLoading;
    const isQuickProbe = plan.mode === "probe" && plan.wire === "stdio";
    const client = new Client(options.client, {
      versionNegotiation: {
        mode: "auto",
        probe: { timeoutMs: isQuickProbe ? Math.min(maxProbeMs, timeMs / 3) : timeMs },
      },
      inputRequired: { autoFulfill: false },
      jsonSchemaValidator: noValidator,
    });
    // Set before the SDK's own: it is called first, with the same message.
    wire.transport.onmessage = repairToolList;
    const prior = toPrior(plan, verdict);
    await client.connect(wire.transport, { timeout: timeMs, ...(prior === undefined ? {} : { prior }) });
    return {
      client,
      verdict: toVerdict(client, plan, verdict),
      isAssumed: plan.mode === "modern",
      wire: plan.wire,
      processId: wire.processId,
      sessionId: () => wire.transport.sessionId,
      report: wire.report,
      failure: () => failure,
      close: wire.close,
    };
  };

  let lastWords = "";
  let plan = firstPlan(target.kind, verdict, Date.now());
  for (;;) {
    const leftMs = Math.max(1, deadline - performance.now());
    // A quarter is kept for a second start, in case the probe has silenced the server.
    const timeMs = plan.wire === "stdio" && plan.mode === "probe" ? leftMs * 0.75 : leftMs;
    const context: FailureContext = {
      ...{
        definition,
        attempt,
        maxAnswerBytes,
        timeoutMs: connectTimeoutMs,
        timeoutName: "connectTimeoutMs",
      },
      report: {},
    };
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
              `Cannot read from "${server}": it floods the connection with messages that nobody asked for`,
              { hint: "Report it to the server's author; it is started again on the next call" },
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
      options.onLeftover(closing);
      const next: ConnectPlan | undefined = signal.aborted ? undefined : nextPlan(plan, error);
      const latest = wire?.report() ?? {};
      // A second start that is cut short may not have come to say anything.
      const report: ProcessReport = { ...latest, stderr: latest.stderr || lastWords };
      lastWords = report.stderr ?? "";
      if (next === undefined || performance.now() >= deadline) {
        const installed = await launch?.readInstalled?.().catch(() => undefined);
        throw toConnectError(error, { ...context, report, installed });
      }
      // Two processes of one server could be in each other's way.
      const waitMs = Math.max(1, deadline - performance.now());
      await withinTime(closing, { timeMs: waitMs, signal }).catch(() => {});
      mayInstall = launch?.first !== undefined;
      plan = next;
    }
  }
};
