// Runs a linked program in its sandbox. The bridge is its only access to the host.
import { type Bridge, moduleFunctions, openBridge } from "../../bridge/index.js";
import { bindArguments, validateArguments } from "../../catalog/index.js";
import type { CheckResult } from "../../checker/index.js";
import type {
  ApprovedProgram,
  CallRecord,
  GuestCall,
  GuestOutcome,
  HostFunctions,
  Journal,
  JsonObject,
  RunPlan,
  RunRequest,
  RunResult,
  StoredFacts,
  Tool,
} from "../../contracts/index.js";
import { type RunFlow, readResponseLimit } from "../../flow/index.js";
import { toRoots } from "../../upstream/index.js";
import { openAuditOf } from "../audit/open-audit.js";
import type { ReachedAdapters } from "../checks/collect-adapters.js";
import { findTool, renewTool } from "../host/host.js";
import type { CallOrigin } from "../plugins/call-hooks.js";
import { findInverse, openDecisions, ruleOnBoth } from "../policies/open-policies.js";
import { openPrivacy } from "../policies/open-privacy.js";
import { openRunLabels, type RunLabels } from "../policies/run-labels.js";
import { openPageNotes, type PageNotes } from "../presenting/page-notes.js";
import { openSkillFunctions } from "../skills/open-skill-functions.js";
import { openRunWorkspace, toSessionName, toWorkspaceName } from "../workspaces/workspaces.js";
import { type AdmittedRun, isSimulated } from "./admit.js";
import { askDuringRun } from "./answer-question.js";
import type { ProgramDecision } from "./approve.js";
import { guardProgress, toGuardedLog } from "./guard-run.js";
import { type InvokeOptions, invokeTool } from "./invoke-tool.js";
import type { LinkedProgram } from "./link.js";
import { openDiscovery } from "./open-discovery.js";
import { openPlan, type Plan } from "./open-plan.js";
import { openWatches, type Watches } from "./open-watches.js";
import {
  openRunClock,
  openStopControl,
  type RunClock,
  type StopControl,
  watchForStop,
} from "./run-control.js";
import { checkAllowed, checkDeclared } from "./run-rights.js";

export interface ExecutedRun {
  readonly outcome: GuestOutcome;
  readonly calls: readonly CallRecord[];
  readonly artifacts: readonly StoredFacts[];
  readonly findHint: Bridge["findHint"];
  /** Tools whose last answer was only one page, described for the next program. */
  readonly pages: readonly string[];
  readonly plan?: RunPlan | undefined;
  /** The labels of its data. Undefined: nothing is labelled. */
  readonly labels: RunLabels | undefined;
  /** Adds the reason if the host stopped the run. */
  readonly explain: (result: RunResult) => RunResult;
}

/** For a run whose program the host carries out itself, because it is a single call. */
export interface DirectProgram {
  readonly execute: (call: HostFunctions["call"], signal: AbortSignal) => Promise<GuestOutcome>;
  readonly present: (executed: ExecutedRun, run: Pick<AdmittedRun, "runId" | "startedAt">) => RunResult;
  /** The tool that is called. Its arguments are passed on as they are. */
  readonly tool: Tool;
  /** A second tool whose rules apply as well: `resources.read` for a subscription. */
  readonly alsoRuled?: Tool | undefined;
  readonly send: InvokeOptions["send"];
}

type ExecuteOptions = Exclude<ProgramDecision, { readonly question: unknown }> & {
  /** What the program imports of skills and adapters. */
  readonly adapters?: ReachedAdapters | undefined;
};

export const execute = async (
  run: AdmittedRun,
  program: LinkedProgram | DirectProgram,
  check: CheckResult | undefined,
  { granted, approved, adapters }: ExecuteOptions = {},
): Promise<ExecutedRun> => {
  const { host, request, language, rights, journal, runId } = run;
  const { session, workspace } = request;
  const origin = await journal.start();
  if (granted !== undefined) await journal.approve?.(granted);
  request.onStart?.();
  const stopControl = openStopControl(request.signal);
  const clock = openRunClock();
  const endWatch = watchForStop(journal, stopControl.cancel);
  const plan =
    request.mode === "plan" ? openPlan(runId, (server) => isSimulated(request, server)) : undefined;
  const runWorkspace = openRunWorkspace(host, request);
  const pages = openPageNotes(language);
  const watches = openWatches(host.upstreams, rights.limits);
  const direct = "execute" in program ? program : undefined;
  const labels = await openRunLabels(host, {
    ...request,
    runId,
    hasSkills: adapters !== undefined && adapters.modules.length > 0,
    manifest: check?.manifest,
    isDirect: direct !== undefined,
  });
  const bridge = openRunBridge(run, {
    direct,
    labels,
    check,
    approved,
    plan,
    stopControl,
    clock,
    workspace: runWorkspace,
    pages,
    watches,
    journal: origin === undefined ? undefined : journal,
  });
  const running =
    "execute" in program
      ? program.execute(bridge.call, stopControl.signal)
      : host.executors.run(
          {
            language,
            workspace: toWorkspaceName(host, request),
            session: session === undefined ? undefined : toSessionName(host, { session, workspace }),
            ...program,
            host: {
              call: plan?.watch(bridge.call) ?? bridge.call,
              log: toGuardedLog(run, labels),
              isReplaying: journal.isReplaying,
            },
            origin,
            limits: rights.limits,
            onHold: clock.onHold,
            signal: stopControl.signal,
          },
          rights.profile.executor,
        );
  const outcome = await running.finally(() => {
    endWatch();
    bridge.close();
    watches.close();
    return runWorkspace.close();
  });
  return {
    outcome,
    calls: bridge.calls(),
    artifacts: bridge.artifacts(),
    findHint: bridge.findHint,
    pages: pages.list(host),
    plan: plan?.read(),
    labels,
    explain: stopControl.explain,
  };
};

interface BridgeParts {
  readonly direct: DirectProgram | undefined;
  readonly labels: RunLabels | undefined;
  readonly check: CheckResult | undefined;
  readonly approved: ApprovedProgram | undefined;
  readonly plan: Plan | undefined;
  readonly stopControl: StopControl;
  readonly clock: RunClock;
  readonly workspace: ReturnType<typeof openRunWorkspace>;
  readonly pages: PageNotes;
  readonly watches: Watches;
  /** Undefined if the run is not journaled. */
  readonly journal: Journal | undefined;
}

/** Undefined if nobody wants it: reporting progress costs the server work. */
const joinProgress = (
  onProgress: RunRequest["onProgress"],
  onGuestProgress: GuestCall["onProgress"],
): RunRequest["onProgress"] =>
  onGuestProgress === undefined
    ? onProgress
    : (step) => {
        onProgress?.(step);
        if (step.progress !== undefined) onGuestProgress(step);
      };

const openRunBridge = (run: AdmittedRun, parts: BridgeParts) => {
  const { direct, labels, check, approved, plan, stopControl, clock, workspace, pages, watches, journal } =
    parts;
  const { host, request, language, rights, runId, meter } = run;
  const { session } = request;
  const onProgress = guardProgress(host, request.onProgress);
  const { servers, limits, approve } = rights;
  const { timeouts } = host.configuration.settings;
  const leftMs = () => clock.leftMs(direct === undefined ? limits.timeoutMs : timeouts.callTimeoutMs);
  const runFlow: RunFlow = { limiter: host.flow.openRunLimiter(request.profile), leftMs };
  // An undo uses the tokens of the run that it undoes.
  const origin: CallOrigin = {
    runId,
    session: session ?? request.undoes?.session,
    workspace: request.workspace,
  };
  const isDirectTool = (tool: object): boolean => tool === direct?.tool;
  return openBridge({
    findTool: async (server, tool) =>
      direct?.tool.server === server && direct.tool.name === tool
        ? direct.tool
        : findTool(host, server, tool, (name) => checkAllowed(servers, name), !moduleFunctions.has(tool)),
    bindArguments: (tool, values, contents) =>
      isDirectTool(tool) ? (values[0] as JsonObject) : bindArguments(tool, values, contents),
    validateArguments: (tool, value) => {
      if (!isDirectTool(tool)) validateArguments(tool, value);
    },
    renewTool: (tool) => renewTool(host, tool),
    answers: {
      settings: host.configuration.settings.answers,
      roots: toRoots(host.configuration.settings.answers),
      canSample: request.canSample === true,
      onLog: onProgress,
      runId,
    },
    askLive: (question, signal) => askDuringRun(run, clock, question, signal),
    callTool: async (tool, value, { decision, onProgress: onGuestProgress, ...asked }) => {
      const isMadeUp = decision === "captured" || decision === "simulated";
      const answer = await invokeTool(host, tool, value, {
        ...asked,
        origin,
        onProgress: joinProgress(onProgress, onGuestProgress),
        onWarning: (text) => run.warnings.add(text),
        isSimulated: isMadeUp,
        send: isDirectTool(tool)
          ? direct?.send
          : // The call waits for a change of the resource.
            tool.method === "resources/watch"
            ? (given, signal) => watches.wait(tool.server, given, signal)
            : undefined,
        caller: request.caller,
        run: runFlow,
      });
      await meter.observe(tool, value, answer);
      if (!isMadeUp) pages.observe(tool, answer);
      return answer;
    },
    decide: plan?.decide ?? (({ tool }) => (isSimulated(request, tool.server) ? "simulated" : "allowed")),
    isReadingOnly: plan !== undefined,
    onStop: stopControl.stop,
    // Opened for each call: an edited policy applies to runs in progress, too.
    rule: (tool, value) =>
      ruleOnBoth(
        openDecisions(host.configuration, approve),
        [tool, isDirectTool(tool) ? direct?.alsoRuled : undefined],
        value,
        request.caller,
      ),
    approved,
    privacy: openPrivacy(host, origin),
    onWarning: (text) => run.warnings.add(text),
    labels,
    onPause: stopControl.pause,
    undo: request.undoes === undefined ? (tool) => findInverse(host, tool) : undefined,
    journal,
    checkTool: (tool, isFromPolicy) => {
      checkAllowed(servers, tool.server);
      if (request.staysWithinManifest === true && !isFromPolicy) checkDeclared(check?.manifest, tool);
    },
    limits,
    allowedHosts: rights.allowedHosts,
    workspace,
    discovery: openDiscovery(host, { language, servers }),
    skills: openSkillFunctions(host, { runId, language, servers }),
    fetchTimeoutMs: timeouts.callTimeoutMs,
    passFetch: (origin, signal, make) => {
      // A program repeats its own requests: it sees the status.
      const call = { server: "network", tool: "fetch", effect: "write", credential: origin } as const;
      const from = { caller: request.caller, run: runFlow.limiter, leftMs, signal };
      return host.flow.pass({ ...call, ...from }, make, readResponseLimit);
    },
    onCall: request.onCall,
    audit: openAuditOf(host, { caller: request.caller, runId, code: request.code, approve }),
  });
};
