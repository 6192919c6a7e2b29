// Opens a coordinator for a configuration. The host and the verbs are loaded on first use.
import { loadConfiguration, stampSources } from "../config/index.js";
import { type FetchProgress, once, openListeners } from "../contracts/index.js";
import { stampPins } from "../store/index.js";
import type { Coordinator } from "./coordinator.js";
import { bindVerbs, checkRequest, checkText } from "./host/bind-verbs.js";
import type { Host } from "./host/host.js";
import { type OpenOptions, readOptions } from "./host/open-options.js";
import { openModel } from "./models/open-model.js";
import { readPolicies } from "./policies/open-policies.js";
import { toCommandLine, toTrustCommand } from "./presenting/command-line.js";

/** Tokens of the catalog that agents see up front. benchmarks/tokens compares other values. */
const defaultSurfaceTokens = 400;

/** Opens a set of MCP servers as code. Servers and sandboxes start on first use. */
export const openCoordinator = async (given: OpenOptions = {}): Promise<Coordinator> => {
  const options = readOptions(given);
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
  // Throws for a policy with a mistake.
  readPolicies(configuration);
  const toolsChanged = openListeners<string>();
  const fetchProgress = openListeners<FetchProgress>();
  let changes = 0;
  const onToolsChanged = (server: string): void => {
    changes += 1;
    toolsChanged.notify(server);
  };
  const toCommand: Coordinator["toCommand"] = (words, workspace) =>
    toCommandLine(words, options, configuration, workspace);
  const endings = new Set<() => void>();
  const stayCurrent: Coordinator["stayCurrent"] = async (watch = {}) => {
    const { stayCurrent: begin, isWithinReach, openReloading } = await import("./host/stay-current.js");
    const reload = openReloading({
      configuration,
      embedded: embedded?.servers ?? [],
      load: () =>
        loadConfiguration({
          ...options,
          hasOthers,
          trustCommand,
          trust: loaded.trusted,
          trustsNamed: watch.trustsEdits === true && !isWithinReach(loaded, options.workingFolder),
        }),
    });
    const readPins = () => stampPins(configuration.settings.pinsFile);
    let pins = readPins();
    const end = begin({
      ...watch,
      openHost: open,
      stamp: () => stampSources(options) + readPins(),
      reload: async () => {
        const reloaded = await reload();
        const hasNewPins = readPins() !== pins;
        pins = readPins();
        if (reloaded.hasNewPolicy || hasNewPins) {
          (await open.started)?.catalogs.clear();
          for (const { name } of configuration.servers) onToolsChanged(name);
        }
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
      listenToTools: toolsChanged.add,
      onAdded: (definition) => void servers.push(definition),
      onFetchProgress: fetchProgress.notify,
      environment,
      plugins: embedded?.hooks,
      origin: options.origin,
      onAudit: options.onAudit,
      detect: options.detect,
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
  const startChecker = once(async () => (await import("./checks/checker.js")).startChecker());
  const loadVerbs = once(() => import("./verbs.js"));
  const verbs = bindVerbs(open, loadVerbs);
  return {
    ...verbs,
    get serverNames() {
      return servers.filter((server) => server.isEnabled).map((server) => server.name);
    },
    get surface() {
      const { settings, addable } = configuration;
      return {
        serves: settings.serves,
        kind: typeof settings.surface === "string" ? settings.surface : "default",
        tokens: typeof settings.surface === "object" ? settings.surface.tokens : defaultSurfaceTokens,
        hasCallTool: settings.callTool,
        hasRunPython: settings.runPython,
        hasAddServers: addable.length > 0,
        hasMemory: !configuration.servers.some(({ name }) => /^\W*memory\W*$/i.test(name)),
        approvals: settings.approvals,
        output: settings.output,
        answerWithinMs: settings.answerWithinMs,
      };
    },
    ...openModel(configuration.settings.model, environment),
    http: configuration.settings.http,
    workspace: configuration.settings.workspace,
    get warnings() {
      return configuration.warnings;
    },
    get ignoredPolicies() {
      return configuration.ignoredPolicies ?? [];
    },
    get untrusted() {
      return configuration.untrusted;
    },
    trusted: loaded.trusted,
    languages: ["typescript", "python"],
    runCode: (request) => {
      startChecker().catch(() => {});
      return verbs.runCode(request);
    },
    outlineCatalog: async (request) => {
      checkRequest(request, ["frame"]);
      return (await openOutlines())(request);
    },
    toCommand,
    countTokens: async (text) => {
      checkText(text);
      const [counter, { countTokens }] = await Promise.all([
        openCounter(),
        import("./runs/token-statistics.js"),
      ]);
      return countTokens(counter, text);
    },
    onToolsChanged: toolsChanged.add,
    onFetchProgress: fetchProgress.add,
    warm: async (part) => {
      if (part !== "sandbox") startChecker().catch(() => {});
      const executors = await openSandbox();
      await executors.warm();
      if (part === "sandbox") return;
      const { warmChecker } = await import("./checks/checker.js");
      await Promise.all([open(), warmChecker(false), loadVerbs()]);
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
      host?.signInWaits.close();
      await endBackground(host);
      await Promise.all([
        host?.upstreams.close(),
        host?.flushLearned(),
        host?.checks.flush(),
        (host?.tokenSums.flush() ?? Promise.resolve()).then(() => tokens?.close()),
        executors?.close(),
        host?.closeChecker(),
      ]);
      await host?.audit.close();
    },
  };
};

/** Cancels runs in progress and stores what they did. */
const endBackground = async (host: Host | undefined): Promise<void> => {
  const runs = host?.background.list() ?? [];
  for (const run of runs) run.cancel();
  await Promise.allSettled(runs.map(({ ended }) => ended));
  await host?.deferred.close();
};
