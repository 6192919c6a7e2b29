// Installs the packages of servers ahead of their first start, and looks for newer versions when it is asked to.
import { type CoordinatorError, type LaunchSummary, toCoordinatorError } from "../../contracts/index.js";
import { findServer, type Host } from "../host/host.js";

export interface FetchServersRequest {
  /** Only these. @default all that are enabled */
  readonly servers?: readonly string[] | undefined;
  /** Resolve names, ranges and tags again, also when that was done today. */
  readonly isRefreshed?: boolean | undefined;
}

export interface RepairedServer {
  /** The folder; none where nothing of it is installed. */
  readonly removed?: string | undefined;
}

export interface FetchedServer {
  readonly server: string;
  /** How it is started; its package has the version that is there now. */
  readonly launch?: LaunchSummary | undefined;
  /** The version that was there before, when there is another one now. */
  readonly before?: string | undefined;
  readonly error?: CoordinatorError | undefined;
}

/** Removes what is damaged of a server's package: exactly the folder that it was installed into. The next start installs it anew. */
export const repairServer = async (
  host: Host,
  { server }: { readonly server: string },
): Promise<RepairedServer> => {
  const { name } = findServer(host, server);
  const removed = await host.upstreams.removeInstalled(name);
  await host.upstreams.forgetFailures(name);
  return { removed };
};

/** A server that fails says so in its own result. Those that no package runner starts are left out. */
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
