// Runs a program: prepare it, check it, select its library, open the bridge, run the guest, shape the answer, keep it.
import { moduleFunctions, openBridge } from "../bridge/index.js";
import { bindArguments, validateArguments } from "../catalog/index.js";
import type { CheckResult, PreparedProgram } from "../checker/index.js";
import type { EffectManifest, GuestJob, Limits, RunRequest, RunResult, Tool } from "../contracts/index.js";
import { CoordinatorError, toCoordinatorError } from "../contracts/index.js";
import { checkPrepared } from "./check-code.js";
import { prepareProgram } from "./checking/checker.js";
import { checkSize, collectAdapters } from "./checking/collect-adapters.js";
import { collectPythonAdapters } from "./checking/collect-python-adapters.js";
import { noteDeclared } from "./checking/declared-names.js";
import { findTool, forRun, type Rooms, renewTool } from "./opening/rooms.js";
import type { CallOrigin } from "./plugins/call-hooks.js";
import { addCommands, addShown, hookResult } from "./running/finish-result.js";
import { followSignal } from "./running/follow-signal.js";
import { invokeTool } from "./running/invoke-tool.js";
import { needsApproval } from "./running/needs-approval.js";
import { noteSkills } from "./running/note-skills.js";
import { openDiscovery } from "./running/open-discovery.js";
import { markProgram, openPlan } from "./running/open-plan.js";
import { openSkillFunctions } from "./running/open-skill-functions.js";
import { openStopping } from "./running/open-stopping.js";
import { toSessionName, toWorkspaceName, toWorkspaceRules } from "./running/open-workspace.js";
import { restoreLater } from "./running/restore-later.js";
import { openJournal, type RunJournal, withoutJournal } from "./running/run-journal.js";
import { openRunMeter } from "./running/run-meter.js";
import { selectLibrary } from "./running/select-library.js";
import { isSimulated, simulateServers } from "./running/simulated-servers.js";
import { toRefusedResult, toRunResult, toUncheckedResult } from "./running/to-run-result.js";
import { serverNotAllowed, toRunRights } from "./running/to-run-rights.js";

/** How another verb runs a program otherwise. */
export interface RunDetour {
  /** It is no use of what it runs. */
  readonly isTest?: boolean;
  /** Where its calls are written down, or answered from. */
  readonly openJournal?: (request: RunRequest) => RunJournal;
}

export const runCode = (rooms: Rooms, request: RunRequest, detour: RunDetour = {}): Promise<RunResult> =>
  performRun(
    rooms,
    request,
    detour.openJournal?.(request) ??
      (detour.isTest === true ? withoutJournal() : openJournal(rooms, request)),
    detour,
  );

/** The walk of one run, a new one or one that goes on. */
export const performRun = async (
  given: Rooms,
  asked: RunRequest,
  journal: RunJournal,
  detour: RunDetour = {},
): Promise<RunResult> => {
  const startedAt = performance.now();
  const { runId } = journal;
  const all = simulateServers(given, asked);
  all.counters.runs++;
  let request = asked;
  const meter = openRunMeter({ runId, request, counter: all.tokens, ledger: all.ledger });
  let { outputTokens } = all.configuration.settings.limits;
  const close = async (result: RunResult): Promise<RunResult> =>
    meter.close(await addShown(all, request, await hookResult(all, request, result), outputTokens));
  const checking = new AbortController();
  const unfollow = followSignal(checking, asked.signal);
  let deadline: NodeJS.Timeout | undefined;
  try {
    if (all.plugins?.beforeRun !== undefined) {
      const { timeoutMs } = toRunRights(all, asked).limits;
      request = await all.plugins.beforeRun(runId, asked, { signal: asked.signal, timeoutMs });
    }
    const rights = toRunRights(all, request);
    const { limits } = rights;
    const { timeoutMs } = limits;
    const patience = { timeoutMs, untilMs: startedAt + timeoutMs, onProgress: request.onProgress };
    const rooms = { ...forRun(all, request, checking.signal), patience };
    ({ outputTokens } = limits);
    const { session, workspace } = request;
    const language = request.language ?? "typescript";
    checkRequest(request, limits);
    const checkMs = Math.max(limits.timeoutMs, minCheckMs);
    deadline = setTimeout(() => checking.abort(checkTimeout(checkMs)), checkMs);

    const program = await prepareProgram(rooms.asker, request.code, {
      language,
      isSession: request.session !== undefined,
    });
    const collect = language === "python" ? collectPythonAdapters : collectAdapters;
    const adapters = await collect(rooms, program, limits);
    connectImported(rooms, [program, ...adapters.modules], rights.servers);
    const check =
      request.isChecked === false
        ? undefined
        : await checkPrepared(rooms, request, { program, adapters, isAsked: false });
    if (check?.diagnostics.some(({ severity }) => severity === "error") === true)
      return await journal.end(await close(journal.mark(toUncheckedResult({ runId, startedAt, check }))));
    clearTimeout(deadline);
    const selected = await selectLibrary(rooms, program, { ...rights, language, adapters });
    const runnable = { ...selected, code: program.code };
    const library =
      request.mode === "plan"
        ? await markProgram(rooms.asker, runnable, {
            language,
            isOwn: (path) => adapters.find(path) !== undefined,
          })
        : runnable;
    const origin = await journal.start();
    const stopping = openStopping(request.signal);
    const call = { origin: toCallOrigin(runId, request), onProgress: request.onProgress };
    const plan =
      request.mode === "plan" ? openPlan(runId, (server) => isSimulated(request, server)) : undefined;
    const bridge = openBridge({
      findTool: (server, tool) =>
        findTool(
          rooms,
          server,
          tool,
          (name) => checkAllowed(rights.servers, name),
          !moduleFunctions.has(tool),
        ),
      bindArguments,
      validateArguments,
      renewTool: (tool) => renewTool(rooms, tool),
      callTool: async (tool, value, { decision, signal }) => {
        const isMadeUp = decision === "captured" || decision === "simulated";
        const answer = await invokeTool(rooms, tool, value, { ...call, signal, isSimulated: isMadeUp });
        const metering = meter.observe(tool, value, answer);
        if (metering !== undefined) await metering;
        return answer;
      },
      decide: plan?.decide ?? (({ tool }) => (isSimulated(request, tool.server) ? "simulated" : "allowed")),
      isReadingOnly: plan !== undefined,
      onStop: stopping.stop,
      ...(rights.approve.length === 0
        ? {}
        : { needsApproval: (tool) => needsApproval(rights.approve, tool) }),
      ...(journal.findAnswer === undefined ? {} : { findAnswer: journal.findAnswer }),
      onPause: stopping.pause,
      ...(journal.calls === undefined ? {} : { journal: journal.calls }),
      checkTool: (tool) => {
        checkAllowed(rights.servers, tool.server);
        if (request.staysWithinManifest === true) checkDeclared(check?.manifest, tool);
      },
      limits,
      allowedHosts: rights.allowedHosts,
      workspace: toWorkspaceRules(rooms, request),
      discovery: openDiscovery(rooms, { language, servers: rights.servers }),
      skills: openSkillFunctions(rooms, { runId, language, servers: rights.servers }),
      fetchTimeoutMs: rooms.configuration.settings.timeouts.callTimeoutMs,
      ...(request.onCall === undefined ? {} : { onCall: request.onCall }),
    });

    const guest: GuestJob = {
      language,
      workspace: toWorkspaceName(rooms, request),
      ...(session === undefined ? {} : { session: toSessionName(rooms, { session, workspace }) }),
      ...library,
      host: {
        call: plan?.watch(bridge.call) ?? bridge.call,
        ...(request.onLog === undefined ? {} : { log: request.onLog }),
        isReplaying: journal.isReplaying,
      },
      ...(origin === undefined ? {} : { origin }),
      limits,
      signal: stopping.signal,
    };
    const job = rooms.executors.run(guest, rights.profile.executor);
    if (journal.prepare !== undefined && mayCall(check)) setImmediate(journal.prepare);
    const outcome = await job.finally(() => {
      bridge.close();
      stopping.close();
    });
    noteDeclared(rooms, request, program);
    rooms.shapes.keepLater();
    restoreLater(rooms, language);
    const isUse = detour.isTest !== true && request.simulate === undefined && plan === undefined;
    if (outcome.status === "completed" && isUse)
      await noteSkills(rooms, { runId, request, adapters, calls: bridge.calls() });
    const result = toRunResult({
      runId,
      startedAt,
      outcome,
      calls: bridge.calls(),
      artifacts: bridge.artifacts(),
      program,
      adapters,
      limits,
      ...(check === undefined ? {} : { check }),
    });
    const explained = stopping.explain(result);
    const simulated = [...new Set(result.calls.map(({ server }) => server))].filter((server) =>
      isSimulated(request, server),
    );
    const labelled = simulated.length === 0 ? explained : { ...explained, simulated };
    const planned = plan === undefined ? labelled : { ...labelled, plan: plan.read() };
    const told = addCommands(rooms, request, journal.mark(planned));
    return await journal.end(await close(told), outcome.times);
  } catch (thrown) {
    const error = toCoordinatorError(thrown);
    if (error.kind === "host") {
      journal.close();
      throw error;
    }
    return journal.end(await close(journal.mark(toRefusedResult({ runId, startedAt, error }))));
  } finally {
    clearTimeout(deadline);
    unfollow();
  }
};

/** A check may take as long as its run, and a short run has time to wait for the checker's start. */
const minCheckMs = 10_000;

const checkTimeout = (checkMs: number): CoordinatorError =>
  new CoordinatorError("LIMIT_TIME", `Stopped the program after ${checkMs} ms: it was not checked by then`, {
    hint: "Nothing was run. Try again, or shorten the program.",
  });

const toCallOrigin = (runId: string, { session, workspace }: RunRequest): CallOrigin => ({
  runId,
  ...(session === undefined ? {} : { session }),
  ...(workspace === undefined ? {} : { workspace }),
});

/** A server that is imported is about to be used: it starts while the program is checked. */
const connectImported = (
  rooms: Rooms,
  modules: readonly PreparedProgram[],
  allowed: readonly string[] | undefined,
): void => {
  for (const { path } of modules.flatMap(({ imports }) => imports)) {
    const name = path.split("/")[1];
    const server = rooms.configuration.servers.find(
      (one) => one.name === name || rooms.identifiers.get(one.name) === name,
    );
    if (server !== undefined && allowed?.includes(server.name) !== false)
      rooms.upstreams.connect(server.name);
  }
};

const sessionName = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u;

const checkRequest = (request: RunRequest, limits: Limits): void => {
  if (request.session !== undefined && (request.mode === "plan" || request.simulate !== undefined))
    throw new CoordinatorError(
      "USAGE",
      `Cannot ${request.mode === "plan" ? "make a plan" : "simulate"} in a session: its variables would hold made-up values afterwards`,
      { hint: "Leave the session out." },
    );
  if (request.session !== undefined && !sessionName.test(request.session)) {
    throw new CoordinatorError(
      "USAGE",
      `Cannot use the session ${JSON.stringify(request.session.slice(0, 80))}: expected up to 64 letters, digits, ".", "_" or "-"`,
    );
  }
  checkSize(Buffer.byteLength(request.code), 0, limits.codeBytes);
};

const mayCall = (check: CheckResult | undefined): boolean =>
  check !== undefined && (check.manifest.calls.length > 0 || check.manifest.hasDynamicCalls);

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
