// Opens a coordinator for a configuration. The host and the verbs are loaded on first use.
import { loadConfiguration } from "../config/index.js";
import { type FetchProgress, once, openListeners } from "../contracts/index.js";
import type { Coordinator } from "./coordinator.js";
import { checkObject, guardRequests } from "./host/check-request.js";
import type { Host } from "./host/host.js";
import { knownOptions, type OpenOptions, refuseOption } from "./host/open-options.js";
import { toCommandLine, toTrustCommand } from "./presenting/command-line.js";

/** Opens a set of MCP servers as code. Servers and sandboxes start on first use. */
export const openCoordinator = async (options: OpenOptions = {}): Promise<Coordinator> => {
  checkObject(options);
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(knownOptions, name));
  if (unknown !== undefined) {
    throw refuseOption(unknown, Object.keys(knownOptions));
  }
  const { environment, tools, hooks, plugins } = options;
  const hasOthers = tools !== undefined || plugins?.some((plugin) => plugin.tools !== undefined);
  const trustCommand = () => toTrustCommand(options);
  const loaded = await loadConfiguration({ ...options, hasOthers, trustCommand });
  const isEmbedded = tools !== undefined || hooks !== undefined || plugins !== undefined;
  const embedded = isEmbedded
    ? await (await import("./plugins/open-plugins.js")).openPlugins({ tools, hooks, plugins }, loaded)
    : undefined;
  const servers = [...loaded.servers, ...(embedded?.servers ?? [])];
  const configuration = { ...loaded, servers };
  const toolsChanged = openListeners<string>();
  const fetchProgress = openListeners<FetchProgress>();
  let changes = 0;
  const onToolsChanged = (server: string): void => {
    changes += 1;
    toolsChanged.tell(server);
  };
  const toCommand: Coordinator["toCommand"] = (words, workspace) =>
    toCommandLine(words, options, configuration, workspace);
  const endings = new Set<() => void>();
  const stayCurrent: Coordinator["stayCurrent"] = async (given = {}) => {
    const [{ stayCurrent: begin }, { isWithinReach, openReloading }, { stampSources }] = await Promise.all([
      import("./host/stay-current.js"),
      import("./host/reload-configuration.js"),
      import("../config/index.js"),
    ]);
    const reload = openReloading({
      configuration,
      embedded: embedded?.servers ?? [],
      load: () =>
        loadConfiguration({
          ...options,
          hasOthers,
          trustCommand,
          trust: loaded.trusted,
          trustsNamed: given.trustsEdits === true && !isWithinReach(loaded, options.workingFolder),
        }),
    });
    const end = begin({
      ...given,
      openHost: open,
      stamp: () => stampSources(options),
      reload: async () => {
        const reloaded = await reload();
        if (reloaded.servers.length > 0) {
          (await open.started)?.replaceServers(reloaded.servers);
          for (const server of reloaded.servers) onToolsChanged(server);
        }
        return reloaded;
      },
    });
    endings.add(end);
    return end;
  };
  const openSandbox = once(async () => {
    const { openExecutors } = await import("../executors/index.js");
    const { settings } = configuration;
    return openExecutors({ limits: settings.limits, settings });
  });
  const openCounter = once(async () => (await import("../output/index.js")).openTokenCounter());
  const open = once(async () => {
    const [executors, tokens, { openHost }] = await Promise.all([
      openSandbox(),
      openCounter(),
      import("./host/open-host.js"),
    ]);
    return openHost({
      configuration,
      executors,
      tokens,
      toCommand,
      trustCommand,
      onToolsChanged,
      onAdded: (definition) => void servers.push(definition),
      onFetchProgress: fetchProgress.tell,
      environment,
      plugins: embedded?.hooks,
    });
  });
  // Does not open the host: this is shown before anything else is needed.
  const openOutlines = once(async () =>
    (await import("./servers/outline-catalog.js")).openOutlines({
      configuration,
      openHost: open,
      countChanges: () => changes,
    }),
  );
  /** In parallel with everything else that a first program waits for. */
  const startChecker = (): void => {
    import("./checks/checker.js").then((checker) => checker.startChecker()).catch(() => {});
  };
  /** Loads a verb on first use and calls it with the host. */
  const verb = <Request extends unknown[], Result>(
    load: () => Promise<(host: Host, ...request: Request) => Promise<Result>>,
  ) => {
    const loadOnce = once(load);
    return async (...request: Request): Promise<Result> => {
      const [host, run] = await Promise.all([open(), loadOnce()]);
      return run(host, ...request);
    };
  };
  return guardRequests({
    get serverNames() {
      return servers.filter((server) => server.isEnabled).map((server) => server.name);
    },
    get surface() {
      const { settings, addable } = configuration;
      return {
        kind: settings.surface,
        hasCallTool: settings.callTool,
        hasRunPython: settings.runPython,
        hasAddServers: addable.length > 0,
        hasMemory: !configuration.servers.some(({ name }) => /^\W*memory\W*$/i.test(name)),
        approvals: settings.approvals,
        output: settings.output,
        answerWithinMs: settings.answerWithinMs,
      };
    },
    http: configuration.settings.http,
    workspace: configuration.settings.workspace,
    get warnings() {
      return configuration.warnings;
    },
    get untrusted() {
      return configuration.untrusted;
    },
    trusted: loaded.trusted,
    languages: ["typescript", "python"],
    runCode: verb(async () => {
      startChecker();
      return (await import("./runs/resume-run.js")).runAnswered;
    }),
    checkCode: verb(() => import("./checks/check-code.js").then(({ checkCode }) => checkCode)),
    callTool: verb(() => import("./servers/call-tool.js").then(({ callTool }) => callTool)),
    showAnswer: verb(() => import("./presenting/show-run.js").then(({ showAnswer }) => showAnswer)),
    listServers: verb(() => import("./servers/list-servers.js").then(({ listServers }) => listServers)),
    showServer: verb(() => import("./servers/list-servers.js").then(({ showServer }) => showServer)),
    listTools: verb(() => import("./servers/list-tools.js").then(({ listTools }) => listTools)),
    showTool: verb(() => import("./servers/list-tools.js").then(({ showTool }) => showTool)),
    searchTools: verb(() => import("./servers/search-tools.js").then(({ searchTools }) => searchTools)),
    outlineCatalog: async (request) => (await openOutlines())(request),
    findServers: verb(() => import("./servers/find-servers.js").then(({ findServers }) => findServers)),
    fetchServers: verb(() => import("./servers/fetch-servers.js").then(({ fetchServers }) => fetchServers)),
    repairServer: verb(() => import("./servers/fetch-servers.js").then(({ repairServer }) => repairServer)),
    addServer: verb(() => import("./servers/add-server.js").then(({ addServer }) => addServer)),
    addTools: verb(() => import("./plugins/open-plugins.js").then(({ addTools }) => addTools)),
    readStatistics: verb(() =>
      import("./runs/read-statistics.js").then(({ readStatistics }) => readStatistics),
    ),
    noteSearch: verb(() => import("./runs/read-statistics.js").then(({ noteSearch }) => noteSearch)),
    checkApprovals: verb(() =>
      import("./checks/check-approvals.js").then(({ checkApprovals }) => checkApprovals),
    ),
    diagnose: verb(() => import("./servers/diagnose.js").then(({ diagnose }) => diagnose)),
    generateLibrary: verb(() =>
      import("./library/generate-library.js").then(({ generateLibrary }) => generateLibrary),
    ),
    listResources: verb(() =>
      import("./library/list-resources.js").then(({ listResources }) => listResources),
    ),
    listResourceTemplates: verb(() =>
      import("./library/list-resources.js").then(({ listResourceTemplates }) => listResourceTemplates),
    ),
    readResource: verb(() => import("./library/read-resource.js").then(({ readResource }) => readResource)),
    listPrompts: verb(() => import("./library/list-prompts.js").then(({ listPrompts }) => listPrompts)),
    getPrompt: verb(() => import("./library/list-prompts.js").then(({ getPrompt }) => getPrompt)),
    completeName: verb(() => import("./library/complete-name.js").then(({ completeName }) => completeName)),
    toCommand,
    readQuestion: verb(() => import("./runs/read-question.js").then(({ readQuestion }) => readQuestion)),
    readStateKey: verb(() => import("./runs/read-question.js").then(({ readStateKey }) => readStateKey)),
    resumeRun: verb(() => import("./runs/resume-run.js").then(({ resumeRun }) => resumeRun)),
    listRuns: verb(() => import("./runs/list-runs.js").then(({ listRuns }) => listRuns)),
    showRun: verb(() => import("./runs/list-runs.js").then(({ showRun }) => showRun)),
    startRun: verb(() => import("./runs/start-run.js").then(({ startRun }) => startRun)),
    runStatus: verb(() => import("./runs/start-run.js").then(({ runStatus }) => runStatus)),
    waitForRun: verb(() => import("./runs/start-run.js").then(({ waitForRun }) => waitForRun)),
    cancelRun: verb(() => import("./runs/start-run.js").then(({ cancelRun }) => cancelRun)),
    commitPlan: verb(() => import("./runs/commit-plan.js").then(({ commitPlan }) => commitPlan)),
    exportRun: verb(() => import("./runs/export-run.js").then(({ exportRun }) => exportRun)),
    replayRun: verb(() => import("./runs/export-run.js").then(({ replayRun }) => replayRun)),
    showSession: verb(() => import("./sessions/session-logs.js").then(({ showSession }) => showSession)),
    listSessionLogs: verb(() =>
      import("./sessions/session-logs.js").then(({ listSessionLogs }) => listSessionLogs),
    ),
    saveCheckpoint: verb(() =>
      import("./sessions/session-logs.js").then(({ saveCheckpoint }) => saveCheckpoint),
    ),
    resumeSession: verb(() =>
      import("./sessions/session-logs.js").then(({ resumeSession }) => resumeSession),
    ),
    setUpSandbox: verb(() => import("./setup/set-up-sandbox.js").then(({ setUpSandbox }) => setUpSandbox)),
    listKept: verb(() => import("./runs/stored-values.js").then(({ listKept }) => listKept)),
    readKept: verb(() => import("./runs/stored-values.js").then(({ readKept }) => readKept)),
    listSessions: verb(() => import("./sessions/session-logs.js").then(({ listSessions }) => listSessions)),
    resetSession: verb(() => import("./sessions/session-logs.js").then(({ resetSession }) => resetSession)),
    saveSkill: verb(() => import("./skills/save-skill.js").then(({ saveSkill }) => saveSkill)),
    updateSkill: verb(() => import("./skills/save-skill.js").then(({ updateSkill }) => updateSkill)),
    listSkills: verb(() => import("./skills/list-skills.js").then(({ listSkills }) => listSkills)),
    searchSkills: verb(() => import("./skills/list-skills.js").then(({ searchSkills }) => searchSkills)),
    showSkill: verb(() => import("./skills/list-skills.js").then(({ showSkill }) => showSkill)),
    deleteSkill: verb(() => import("./skills/list-skills.js").then(({ deleteSkill }) => deleteSkill)),
    readSkillFiles: verb(() =>
      import("./skills/list-skills.js").then(({ readSkillFiles }) => readSkillFiles),
    ),
    runSkill: verb(() => import("./skills/run-skill.js").then(({ runSkill }) => runSkill)),
    testSkill: verb(() => import("./skills/test-skill.js").then(({ testSkill }) => testSkill)),
    readMeter: verb(() => import("./runs/read-statistics.js").then(({ readMeter }) => readMeter)),
    countTokens: async (text) => {
      const [counter, { countTokens }] = await Promise.all([
        openCounter(),
        import("./runs/read-statistics.js"),
      ]);
      return countTokens(counter, text);
    },
    listWorkspaces: verb(() =>
      import("./workspaces/list-workspaces.js").then(({ listWorkspaces }) => listWorkspaces),
    ),
    removeWorkspace: verb(() =>
      import("./workspaces/list-workspaces.js").then(({ removeWorkspace }) => removeWorkspace),
    ),
    removeInactiveWorkspaces: verb(() =>
      import("./workspaces/list-workspaces.js").then(
        ({ removeInactiveWorkspaces }) => removeInactiveWorkspaces,
      ),
    ),
    listWorkspaceFiles: verb(() =>
      import("./workspaces/list-workspaces.js").then(({ listWorkspaceFiles }) => listWorkspaceFiles),
    ),
    readWorkspaceFile: verb(() =>
      import("./workspaces/list-workspaces.js").then(({ readWorkspaceFile }) => readWorkspaceFile),
    ),
    listCallers: verb(() => import("./callers/callers.js").then(({ listCallers }) => listCallers)),
    addCaller: verb(() => import("./callers/callers.js").then(({ addCaller }) => addCaller)),
    renewCaller: verb(() => import("./callers/callers.js").then(({ renewCaller }) => renewCaller)),
    removeCaller: verb(() => import("./callers/callers.js").then(({ removeCaller }) => removeCaller)),
    findCaller: verb(() => import("./callers/callers.js").then(({ findCaller }) => findCaller)),
    onToolsChanged: toolsChanged.add,
    onFetchProgress: fetchProgress.add,
    warm: async (part) => {
      if (part !== "sandbox") startChecker();
      const executors = await openSandbox();
      await executors.warm();
      if (part === "sandbox") return;
      const { warmChecker } = await import("./checks/checker.js");
      await Promise.all([open(), warmChecker(false), import("./runs/run-code.js")]);
      await (await openCounter()).warm();
      if (part !== "run") await warmChecker(true);
    },
    stayCurrent,
    close: async () => {
      for (const end of endings) end();
      const host = await open.started?.catch(() => undefined);
      const executors = await openSandbox.started?.catch(() => undefined);
      await Promise.all(host?.restoring.values() ?? []);
      const tokens = await openCounter.started?.catch(() => undefined);
      await endBackground(host);
      await Promise.all([
        host?.upstreams.close(),
        host?.flushLearned(),
        host?.checks.flush(),
        (host?.ledger.flush() ?? Promise.resolve()).then(() => tokens?.close()),
        executors?.close(),
        host?.closeChecker(),
      ]);
    },
  });
};

/** Cancels runs in progress and stores what they did. */
const endBackground = async (host: Host | undefined): Promise<void> => {
  const runs = host?.background.list() ?? [];
  for (const run of runs) run.cancel();
  await Promise.allSettled(runs.map(({ ended }) => ended));
  await host?.deferred.close();
};
