// Installs the packages of servers ahead of their first start, and looks for newer versions on request.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  type CoordinatorError,
  type FetchProgress,
  type LaunchSummary,
  type Settings,
  toCoordinatorError,
} from "../../contracts/index.js";
import { Launcher } from "../../upstream/index.js";
import { findServer, type Host } from "../host/host.js";

/** The same file for the source, the compiled modules and the bundle. */
const fetcherFile = fileURLToPath(new URL("../../../dist/bundle/fetch-child.js", import.meta.url));

export const openLauncher = (
  { cacheFolder, launch }: Settings,
  environment: Readonly<Record<string, string | undefined>>,
  onProgress?: (progress: FetchProgress) => void,
): Launcher =>
  new Launcher({
    folder: join(cacheFolder, "packages"),
    fetcher: fetcherFile,
    mode: launch,
    environment,
    onProgress,
  });

/** The servers whose packages are installed ahead of their first start. */
export interface FetchServersRequest {
  /** Only these servers. @default all enabled servers */
  readonly servers?: readonly string[] | undefined;
  /** Resolve names, ranges and tags again, even if that was done today. */
  readonly isRefreshed?: boolean | undefined;
}

/** What `repairServer` removed, so that the next start installs it again. */
export interface RepairedServer {
  /** The removed folder. Absent if nothing was installed. */
  readonly removed?: string | undefined;
}

/** What `fetchServers` installed for one server, or why it could not. */
export interface FetchedServer {
  readonly server: string;
  /** How the server is started, with the installed version of its package. */
  readonly launch?: LaunchSummary | undefined;
  /** The previous version, if it changed. */
  readonly before?: string | undefined;
  readonly error?: CoordinatorError | undefined;
}

export const repairServer = async (
  host: Host,
  { server }: { readonly server: string },
): Promise<RepairedServer> => {
  const { name } = findServer(host, server);
  const removed = await host.upstreams.removeInstalled(name);
  await host.upstreams.forgetFailures(name);
  return { removed };
};

/** A server that fails reports so in its own result. Servers without a package runner are left out. */
export const fetchServers = async (
  host: Host,
  { servers, isRefreshed = false }: FetchServersRequest = {},
): Promise<readonly FetchedServer[]> => {
  const { configuration, upstreams } = host;
  const names =
    servers?.map((name) => findServer(host, name).name) ??
    configuration.servers
      .filter(({ isEnabled, problem }) => isEnabled && problem === undefined)
      .map(({ name }) => name);
  const fetched = names.map(async (server): Promise<readonly FetchedServer[]> => {
    const known = await upstreams.describeLaunch(server);
    if (known === undefined) return [];
    try {
      await upstreams.fetch(server, { isRefreshed });
    } catch (thrown) {
      return [{ server, launch: known, error: toCoordinatorError(thrown) }];
    }
    const launch = await upstreams.describeLaunch(server);
    const before = known.package?.version;
    return [{ server, launch, before: before === launch?.package?.version ? undefined : before }];
  });
  return (await Promise.all(fetched)).flat();
};
