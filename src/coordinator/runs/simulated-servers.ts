// The host of a run with simulated servers. Their tools come from stored listings, so they need no connection and no variables.
import {
  CoordinatorError,
  type Listing,
  type RunRequest,
  toCoordinatorError,
} from "../../contracts/index.js";
import type { Host } from "../host/host.js";

export const isSimulated = ({ simulate }: RunRequest, server: string): boolean =>
  simulate === true || (Array.isArray(simulate) && simulate.includes(server));

/** Whether any server is simulated. */
export const isSimulation = ({ simulate }: { readonly simulate?: unknown }): boolean =>
  simulate !== undefined && simulate !== false;

/** Returns the same host if nothing is simulated. */
export const simulateServers = (host: Host, request: RunRequest): Host => {
  if (!isSimulation(request)) return host;
  const { upstreams } = host;
  const list: typeof upstreams.list = async (server, options) => {
    if (!isSimulated(request, server)) return upstreams.list(server, options);
    const known: Listing | undefined = await upstreams.peekStored(server);
    if (known !== undefined) return known;
    try {
      return await upstreams.list(server, options);
    } catch (thrown) {
      const { code, message } = toCoordinatorError(thrown);
      throw new CoordinatorError(
        code,
        `Cannot simulate "${server}": its tools are not known yet. ${message}`,
        {
          hint: `Connect it once ("mcp-coordinator tools ${server}"): its tools are then stored, and later simulations need no connection.`,
        },
      );
    }
  };
  return {
    ...host,
    // A copy: other runs must not take these catalogs for those of connected servers.
    catalogs: new Map(host.catalogs),
    upstreams: {
      ...upstreams,
      list,
      connect: (server) => {
        if (!isSimulated(request, server)) upstreams.connect(server);
      },
      renew: async (server) => {
        if (!isSimulated(request, server)) await upstreams.renew(server);
      },
    },
  };
};
