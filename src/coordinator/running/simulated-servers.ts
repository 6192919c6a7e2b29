// The rooms of a run whose servers are simulated: what they offer comes from what is stored, so that they need no connection and no variables.
import {
  CoordinatorError,
  type Listing,
  type RunRequest,
  toCoordinatorError,
} from "../../contracts/index.js";
import type { Rooms } from "../opening/rooms.js";

export const isSimulated = ({ simulate }: RunRequest, server: string): boolean =>
  simulate === true || (Array.isArray(simulate) && simulate.includes(server));

/** The same rooms where nothing is simulated. */
export const simulateServers = (rooms: Rooms, request: RunRequest): Rooms => {
  if (request.simulate === undefined || request.simulate === false) return rooms;
  const { upstreams } = rooms;
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
          hint: `Connect it once ("mcp-coordinator tools ${server}"): what it offers is stored, and later simulations need no connection.`,
        },
      );
    }
  };
  return {
    ...rooms,
    // What is known of a server that cannot be used must not be taken for more by other runs.
    catalogs: new Map(rooms.catalogs),
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
