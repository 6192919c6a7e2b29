// Runs a linked program in its sandbox. The bridge is its only access to the host.
import { moduleFunctions, openBridge } from "../../bridge/index.js";
import { bindArguments, validateArguments } from "../../catalog/index.js";
import type { CheckResult } from "../../checker/index.js";
import {
  type CallRecord,
  CoordinatorError,
  type EffectManifest,
  type GuestOutcome,
  type Journal,
  type RunPlan,
  type RunQuestion,
  type RunResult,
  type StoredFacts,
  type Tool,
} from "../../contracts/index.js";
import { findTool, renewTool } from "../host/host.js";
import type { CallOrigin } from "../plugins/call-hooks.js";
import { openPageNotes, type PageNotes } from "../presenting/page-notes.js";
import { openSkillFunctions } from "../skills/open-skill-functions.js";
import { toSessionName, toWorkspaceName, toWorkspaceRules } from "../workspaces/open-workspace.js";
import type { AdmittedRun } from "./admit.js";
import { invokeTool } from "./invoke-tool.js";
import type { LinkedProgram } from "./link.js";
import { needsApproval } from "./needs-approval.js";
import { openDiscovery } from "./open-discovery.js";
import { openPlan, type Plan } from "./open-plan.js";
import { isSimulated } from "./simulated-servers.js";
import { serverNotAllowed } from "./to-run-rights.js";

export interface ExecutedRun {
  readonly outcome: GuestOutcome;
  readonly calls: readonly CallRecord[];
  readonly artifacts: readonly StoredFacts[];
  /** Tools whose last answer was only one page, described for the next program. */
  readonly pages: readonly string[];
  readonly plan?: RunPlan | undefined;
  /** Adds the reason if the host stopped the run. */
  readonly explain: (result: RunResult) => RunResult;
}

export const execute = async (
  run: AdmittedRun,
  program: LinkedProgram,
  check: CheckResult | undefined,
): Promise<ExecutedRun> => {
  const { host, request, language, rights, journal, runId } = run;
  const { session, workspace } = request;
  const origin = await journal.start();
  const stopControl = openStopControl(request.signal);
  const plan =
    request.mode === "plan" ? openPlan(runId, (server) => isSimulated(request, server)) : undefined;
  const workspaceRules = toWorkspaceRules(host, request);
  const pages = openPageNotes(language);
  const bridge = openRunBridge(run, {
    check,
    plan,
    stopControl,
    workspace: workspaceRules,
    pages,
    journal: origin === undefined ? undefined : journal,
  });
  const running = host.executors.run(
    {
      language,
      workspace: toWorkspaceName(host, request),
      session: session === undefined ? undefined : toSessionName(host, { session, workspace }),
      ...program,
      host: {
        call: plan?.watch(bridge.call) ?? bridge.call,
        log: request.onLog,
        isReplaying: journal.isReplaying,
      },
      origin,
      limits: rights.limits,
      signal: stopControl.signal,
    },
    rights.profile.executor,
  );
  const outcome = await running.finally(() => {
    bridge.close();
    return workspaceRules.close();
  });
  return {
    outcome,
    calls: bridge.calls(),
    artifacts: bridge.artifacts(),
    pages: pages.list(host),
    plan: plan?.read(),
    explain: stopControl.explain,
  };
};

interface BridgeParts {
  readonly check: CheckResult | undefined;
  readonly plan: Plan | undefined;
  readonly stopControl: StopControl;
  readonly workspace: ReturnType<typeof toWorkspaceRules>;
  readonly pages: PageNotes;
  /** Undefined if the run is not journaled. */
  readonly journal: Journal | undefined;
}

const openRunBridge = (
  { host, request, language, rights, runId, meter }: AdmittedRun,
  { check, plan, stopControl, workspace, pages, journal }: BridgeParts,
) => {
  const { session, onProgress } = request;
  const { servers, limits, approve } = rights;
  const origin: CallOrigin = { runId, session, workspace: request.workspace };
  return openBridge({
    findTool: async (server, tool) =>
      findTool(host, server, tool, (name) => checkAllowed(servers, name), !moduleFunctions.has(tool)),
    bindArguments,
    validateArguments,
    renewTool: (tool) => renewTool(host, tool),
    callTool: async (tool, value, { decision, signal }) => {
      const isMadeUp = decision === "captured" || decision === "simulated";
      const answer = await invokeTool(host, tool, value, {
        origin,
        onProgress,
        signal,
        isSimulated: isMadeUp,
      });
      await meter.observe(tool, value, answer);
      if (!isMadeUp) pages.observe(tool, answer);
      return answer;
    },
    decide: plan?.decide ?? (({ tool }) => (isSimulated(request, tool.server) ? "simulated" : "allowed")),
    isReadingOnly: plan !== undefined,
    onStop: stopControl.stop,
    needsApproval: approve.length === 0 ? undefined : (tool) => needsApproval(approve, tool),
    onPause: stopControl.pause,
    journal,
    checkTool: (tool) => {
      checkAllowed(servers, tool.server);
      if (request.staysWithinManifest === true) checkDeclared(check?.manifest, tool);
    },
    limits,
    allowedHosts: rights.allowedHosts,
    workspace,
    discovery: openDiscovery(host, { language, servers }),
    skills: openSkillFunctions(host, { runId, language, servers }),
    fetchTimeoutMs: host.configuration.settings.timeouts.callTimeoutMs,
    onCall: request.onCall,
  });
};

const checkAllowed = (allowed: readonly string[] | undefined, server: string): void => {
  if (allowed !== undefined && !allowed.includes(server)) throw serverNotAllowed(server, allowed);
};

const checkDeclared = (manifest: EffectManifest | undefined, tool: Tool): void => {
  if (manifest?.calls.some(({ server, tool: name }) => server === tool.server && name === tool.name) === true)
    return;
  throw new CoordinatorError(
    "CALL_NOT_DECLARED",
    `Cannot call "${tool.server}.${tool.name}": the check did not find this call in the program`,
  );
};

/** Lets the host stop or pause a run, and reports why. */
interface StopControl {
  /** Aborted by the caller of the run, `stop` or `pause`. */
  readonly signal: AbortSignal;
  readonly stop: (error: CoordinatorError) => void;
  /** Ends this attempt. The run waits for an answer. */
  readonly pause: (question: RunQuestion) => void;
  /** Adds the reason if the run was stopped. */
  readonly explain: (result: RunResult) => RunResult;
}

const openStopControl = (callerSignal: AbortSignal | undefined): StopControl => {
  const controller = new AbortController();
  let reason: CoordinatorError | undefined;
  let question: RunQuestion | undefined;
  return {
    signal:
      callerSignal === undefined ? controller.signal : AbortSignal.any([controller.signal, callerSignal]),
    stop: (error) => {
      reason ??= error;
      controller.abort();
    },
    pause: (pending) => {
      question ??= pending;
      controller.abort();
    },
    explain: (result) => {
      if (question !== undefined && reason === undefined && result.stopReason === "cancelled") {
        const { stopReason: _, error: __, ...rest } = result;
        return { ...rest, status: "paused", question };
      }
      if (reason === undefined) return result;
      const { code, kind, message, hint, details } = reason;
      const { stopReason: _, ...rest } = result;
      const error = { code, kind, message, hint, details };
      return { ...rest, status: "failed", error };
    },
  };
};
