// Opens the host for a configuration, when the first verb needs it.
import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { toServerIdentifiers } from "../../catalog/index.js";
import {
  type FetchProgress,
  once,
  type RunOrigin,
  type ServerDefinition,
  type Settings,
  type Store,
} from "../../contracts/index.js";
import { openHostFlow } from "../../flow/index.js";
import { matchesGlob } from "../../policy/index.js";
import {
  openCheckCache,
  openListingCache,
  openPublicNames,
  openStartFailures,
  openStatisticsStore,
  openStore,
  openVault,
  toDaysAgo,
} from "../../store/index.js";
import { openUpstreams } from "../../upstream/index.js";
import { type OnAudit, openAudit } from "../audit/open-audit.js";
import { closeChecker } from "../checks/checker.js";
import { openDeferredWrites } from "../runs/deferred-writes.js";
import { openBackgroundRuns, openLiveQuestions } from "../runs/live-runs.js";
import { openSignInWaits } from "../runs/sign-in-waits.js";
import { startRun } from "../runs/start-run.js";
import { openTokenSums } from "../runs/token-statistics.js";
import { openLauncher } from "../servers/fetch-servers.js";
import { openPins } from "../servers/pinned-tools.js";
import { openRefresher } from "../servers/sign-in.js";
import { version } from "../version.js";
import type { Host } from "./host.js";
import { openLearnedByWorkspace } from "./open-learned.js";

export interface OpenHostOptions
  extends Pick<
    Host,
    "configuration" | "executors" | "tokens" | "toCommand" | "trustCommand" | "plugins" | "detect"
  > {
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  readonly onToolsChanged: (server: string) => void;
  readonly listenToTools: Host["onToolsChanged"];
  /** Adds to the configuration's own servers. */
  readonly onAdded: (definition: ServerDefinition) => void;
  readonly onFetchProgress: (progress: FetchProgress) => void;
  readonly origin?: RunOrigin | undefined;
  readonly onAudit?: OnAudit | undefined;
}

export const openHost = ({
  environment = process.env,
  onToolsChanged,
  listenToTools,
  onAdded,
  onFetchProgress,
  origin,
  onAudit,
  ...given
}: OpenHostOptions): Host => {
  const { configuration, toCommand } = given;
  const { servers, settings } = configuration;
  // Named over all servers that could be added, so that adding one renames no other.
  const nameAll = () =>
    toServerIdentifiers([...configuration.servers, ...configuration.addable].map(({ name }) => name));
  let all = nameAll();
  const identifiers = new Map(servers.map(({ name }) => [name, all.get(name) ?? name]));
  const vault = openVault({ ...settings, environment });
  const opened = openUpstreams({
    definitions: servers,
    timeouts: settings.timeouts,
    maxAnswerBytes: settings.limits.answerBytes,
    cache: openListingCache(settings.cacheFolder),
    failures: openStartFailures(settings.cacheFolder),
    maxStarts: settings.maxStarts,
    client: { name: "mcp-coordinator", version },
    answers: settings.answers,
    launcher: openLauncher(settings, environment, onFetchProgress),
    environment,
    signIn: {
      vault,
      toCommand: (server) => toCommand(["login", server]),
      startRefresh: openRefresher(settings, environment),
    },
  });
  const isPinned = (server: string): boolean =>
    configuration.servers.find(({ name }) => name === server)?.target.kind !== "in-process";
  const pins = settings.pins === "off" ? undefined : openPins({ upstreams: opened, settings, isPinned });
  const upstreams = pins?.upstreams ?? opened;
  const statistics = openStatisticsStore({ folder: settings.cacheFolder });
  const openStore = openStoreOnce(settings);
  const openWorkspace: Host["openWorkspace"] = async (name = settings.workspace) =>
    (await openStore()).openWorkspace(name);
  const learned = openLearnedByWorkspace({ settings, openStore });
  const host: Host = {
    ...given,
    ...learned.of(settings.workspace),
    requester: { workspace: settings.workspace },
    ofWorkspace: (workspace) => ({ ...host, ...learned.of(workspace), requester: { workspace } }),
    forgetLearned: learned.forget,
    flushLearned: learned.flush,
    identifiers,
    upstreams,
    pins,
    vault,
    flow: openHostFlow(settings, matchesGlob),
    audit: openAudit(settings, { environment, onAudit }),
    catalogs: new Map(),
    declared: new Map(),
    sessionRuns: new Map(),
    checks: openCheckCache({ folder: settings.cacheFolder, build: `${version} ${readBuildTime()}` }),
    openStore,
    addDefinition: (definition) => {
      const { name } = definition;
      identifiers.set(name, all.get(name) ?? toServerIdentifiers([name]).get(name) ?? name);
      onAdded(definition);
      onToolsChanged(definition.name);
    },
    noteListed: onToolsChanged,
    onToolsChanged: listenToTools,
    names: openPublicNames(settings.stateFolder, configuration.sources[0] ?? ""),
    replaceServers: (names) => {
      all = nameAll();
      identifiers.clear();
      for (const { name } of configuration.servers) identifiers.set(name, all.get(name) ?? name);
      for (const name of names) {
        upstreams.remove(name);
        host.catalogs.delete(name);
        const definition = configuration.servers.find((server) => server.name === name);
        if (definition !== undefined) upstreams.add(definition);
      }
    },
    closeChecker,
    restoring: new Map(),
    tokenSums: openTokenSums(statistics, origin),
    statistics,
    counters: { runs: 0, calls: 0 },
    openWorkspace,
    deferred: openDeferredWrites(openWorkspace, settings.retention),
    background: openBackgroundRuns(),
    liveQuestions: openLiveQuestions(),
    signInWaits: openSignInWaits((request) => startRun(host, request)),
  };
  upstreams.onListChanged((server) => {
    host.catalogs.delete(server);
    onToolsChanged(server);
  });
  return host;
};

/** The build time, so that a checkout whose rules changed checks programs again. A package has its version for that. */
const readBuildTime = (): number =>
  statSync(fileURLToPath(import.meta.url), { throwIfNoEntry: false })?.mtimeMs ?? 0;

const openStoreOnce = ({ stateFolder, limits, syncToDisk, retention }: Settings) =>
  once(async (): Promise<Store> => {
    const { keptWorkspaceDays, storedValueDays } = retention;
    const store = openStore({ folder: stateFolder, limits, storedValueDays, isSynced: syncToDisk });
    // In the background and once: a failed cleanup must not affect the work.
    if (keptWorkspaceDays !== undefined)
      void store.removeInactive({ since: toDaysAgo(keptWorkspaceDays) }).catch(() => undefined);
    return store;
  });
