// Opens a coordinator for a configuration. The host and the verbs are loaded on first use.
import { loadConfiguration } from "../config/index.js";
import { type FetchProgress, once, openListeners } from "../contracts/index.js";
import type { Coordinator } from "./coordinator.js";
import { checkObject, guardRequests } from "./opening/check-request.js";
import { knownOptions, type OpenOptions } from "./opening/open-options.js";
import type { Host } from "./opening/rooms.js";
import { toCommandLine, toTrustCommand } from "./showing/command-line.js";

/** Opens a set of MCP servers as code. No server and no sandbox is started before it is used. */
export const openCoordinator = async (options: OpenOptions = {}): Promise<Coordinator> => {
  checkObject(options);
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(knownOptions, name));
  if (unknown !== undefined) {
    const { refuseOption } = await import("./opening/refuse-option.js");
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
      import("./stay-current.js"),
      import("./opening/reload-configuration.js"),
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
  const openSandbox = once(async () =>
    (await import("./opening/open-sandboxes.js")).openSandboxes(configuration),
  );
  const openCounter = once(async () => (await import("../output/index.js")).openTokenCounter());
  const open = once(async () => {
    const [executors, tokens, { openHost }] = await Promise.all([
      openSandbox(),
      openCounter(),
      import("./opening/open-rooms.js"),
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
    (await import("./outline-catalog.js")).openOutlines({
      configuration,
      openHost: open,
      countChanges: () => changes,
    }),
  );
  /** Beside everything else that a first program waits for. */
  const startChecker = (): void => {
    import("./checking/checker.js").then((checker) => checker.startChecker()).catch(() => {});
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
      return (await import("./resume-run.js")).runAnswered;
    }),
    checkCode: verb(() => import("./check-code.js").then(({ checkCode }) => checkCode)),
    callTool: verb(() => import("./call-tool.js").then(({ callTool }) => callTool)),
    showAnswer: verb(() => import("./show-answer.js").then(({ showAnswer }) => showAnswer)),
    listServers: verb(() => import("./list-servers.js").then(({ listServers }) => listServers)),
    showServer: verb(() => import("./list-servers.js").then(({ showServer }) => showServer)),
    listTools: verb(() => import("./list-tools.js").then(({ listTools }) => listTools)),
    showTool: verb(() => import("./list-tools.js").then(({ showTool }) => showTool)),
    searchTools: verb(() => import("./search-tools.js").then(({ searchTools }) => searchTools)),
    outlineCatalog: async (request) => (await openOutlines())(request),
    findServers: verb(() => import("./find-servers.js").then(({ findServers }) => findServers)),
    fetchServers: verb(() => import("./fetch-servers.js").then(({ fetchServers }) => fetchServers)),
    repairServer: verb(() => import("./fetch-servers.js").then(({ repairServer }) => repairServer)),
    addServer: verb(() => import("./add-server.js").then(({ addServer }) => addServer)),
    addTools: verb(() => import("./add-tools.js").then(({ addTools }) => addTools)),
    readStatistics: verb(() => import("./read-statistics.js").then(({ readStatistics }) => readStatistics)),
    noteSearch: verb(() => import("./note-search.js").then(({ noteSearch }) => noteSearch)),
    checkApprovals: verb(() => import("./check-approvals.js").then(({ checkApprovals }) => checkApprovals)),
    diagnose: verb(() => import("./diagnose.js").then(({ diagnose }) => diagnose)),
    generateLibrary: verb(() =>
      import("./generate-library.js").then(({ generateLibrary }) => generateLibrary),
    ),
    listResources: verb(() => import("./list-resources.js").then(({ listResources }) => listResources)),
    listResourceTemplates: verb(() =>
      import("./list-resources.js").then(({ listResourceTemplates }) => listResourceTemplates),
    ),
    readResource: verb(() => import("./read-resource.js").then(({ readResource }) => readResource)),
    listPrompts: verb(() => import("./list-prompts.js").then(({ listPrompts }) => listPrompts)),
    getPrompt: verb(() => import("./list-prompts.js").then(({ getPrompt }) => getPrompt)),
    completeName: verb(() => import("./complete-name.js").then(({ completeName }) => completeName)),
    toCommand,
    readQuestion: verb(() => import("./read-question.js").then(({ readQuestion }) => readQuestion)),
    readStateKey: verb(() => import("./read-question.js").then(({ readStateKey }) => readStateKey)),
    resumeRun: verb(() => import("./resume-run.js").then(({ resumeRun }) => resumeRun)),
    listRuns: verb(() => import("./list-runs.js").then(({ listRuns }) => listRuns)),
    showRun: verb(() => import("./list-runs.js").then(({ showRun }) => showRun)),
    startRun: verb(() => import("./start-run.js").then(({ startRun }) => startRun)),
    runStatus: verb(() => import("./start-run.js").then(({ runStatus }) => runStatus)),
    waitForRun: verb(() => import("./start-run.js").then(({ waitForRun }) => waitForRun)),
    cancelRun: verb(() => import("./start-run.js").then(({ cancelRun }) => cancelRun)),
    commitPlan: verb(() => import("./commit-plan.js").then(({ commitPlan }) => commitPlan)),
    exportRun: verb(() => import("./export-run.js").then(({ exportRun }) => exportRun)),
    replayRun: verb(() => import("./export-run.js").then(({ replayRun }) => replayRun)),
    showSession: verb(() => import("./session-logs.js").then(({ showSession }) => showSession)),
    listSessionLogs: verb(() => import("./session-logs.js").then(({ listSessionLogs }) => listSessionLogs)),
    saveCheckpoint: verb(() => import("./session-logs.js").then(({ saveCheckpoint }) => saveCheckpoint)),
    resumeSession: verb(() => import("./session-logs.js").then(({ resumeSession }) => resumeSession)),
    setUpSandbox: verb(() => import("./set-up-sandbox.js").then(({ setUpSandbox }) => setUpSandbox)),
    listKept: verb(() => import("./read-kept.js").then(({ listKept }) => listKept)),
    readKept: verb(() => import("./read-kept.js").then(({ readKept }) => readKept)),
    listSessions: verb(() => import("./list-sessions.js").then(({ listSessions }) => listSessions)),
    resetSession: verb(() => import("./list-sessions.js").then(({ resetSession }) => resetSession)),
    saveSkill: verb(() => import("./save-skill.js").then(({ saveSkill }) => saveSkill)),
    updateSkill: verb(() => import("./save-skill.js").then(({ updateSkill }) => updateSkill)),
    listSkills: verb(() => import("./list-skills.js").then(({ listSkills }) => listSkills)),
    searchSkills: verb(() => import("./list-skills.js").then(({ searchSkills }) => searchSkills)),
    showSkill: verb(() => import("./list-skills.js").then(({ showSkill }) => showSkill)),
    deleteSkill: verb(() => import("./list-skills.js").then(({ deleteSkill }) => deleteSkill)),
    readSkillFiles: verb(() => import("./list-skills.js").then(({ readSkillFiles }) => readSkillFiles)),
    runSkill: verb(() => import("./run-skill.js").then(({ runSkill }) => runSkill)),
    testSkill: verb(() => import("./test-skill.js").then(({ testSkill }) => testSkill)),
    readMeter: verb(() => import("./read-meter.js").then(({ readMeter }) => readMeter)),
    countTokens: async (text) => {
      const [counter, { countTokens }] = await Promise.all([openCounter(), import("./count-tokens.js")]);
      return countTokens(counter, text);
    },
    listWorkspaces: verb(() => import("./list-workspaces.js").then(({ listWorkspaces }) => listWorkspaces)),
    removeWorkspace: verb(() =>
      import("./list-workspaces.js").then(({ removeWorkspace }) => removeWorkspace),
    ),
    removeInactiveWorkspaces: verb(() =>
      import("./list-workspaces.js").then(({ removeInactiveWorkspaces }) => removeInactiveWorkspaces),
    ),
    listWorkspaceFiles: verb(() =>
      import("./list-workspaces.js").then(({ listWorkspaceFiles }) => listWorkspaceFiles),
    ),
    readWorkspaceFile: verb(() =>
      import("./list-workspaces.js").then(({ readWorkspaceFile }) => readWorkspaceFile),
    ),
    listCallers: verb(() => import("./list-callers.js").then(({ listCallers }) => listCallers)),
    addCaller: verb(() => import("./list-callers.js").then(({ addCaller }) => addCaller)),
    renewCaller: verb(() => import("./list-callers.js").then(({ renewCaller }) => renewCaller)),
    removeCaller: verb(() => import("./list-callers.js").then(({ removeCaller }) => removeCaller)),
    findCaller: verb(() => import("./list-callers.js").then(({ findCaller }) => findCaller)),
    onToolsChanged: toolsChanged.add,
    onFetchProgress: fetchProgress.add,
    warm: async (part) => {
      if (part !== "sandbox") startChecker();
      const executors = await openSandbox();
      await executors.warm();
      if (part === "sandbox") return;
      const { warmChecker } = await import("./checking/checker.js");
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

/** Runs that are still under way are cancelled, and kept with what they did. */
const endBackground = async (host: Host | undefined): Promise<void> => {
  const runs = host?.background.list() ?? [];
  for (const run of runs) run.cancel();
  await Promise.allSettled(runs.map(({ ended }) => ended));
  await host?.kept.close();
};
