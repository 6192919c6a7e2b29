// Lists the configured servers and what is known of each without starting it.
import {
  type CoordinatorError,
  type LaunchSummary,
  type ListedPrompt,
  type ListedResource,
  type Listing,
  type ServerDefinition,
  toCoordinatorError,
} from "../../contracts/index.js";
import type { UpstreamStatus } from "../../upstream/index.js";
import { findServer, type Host, readCatalog } from "../host/host.js";
import { type ToolSummary, toToolSummary } from "./list-tools.js";

/** One configured server as `listServers` lists it. */
export interface ServerSummary {
  readonly name: string;
  /** The server's identifier in programs. */
  readonly identifier: string;
  readonly description?: string | undefined;
  readonly transport: "stdio" | "http" | "sse" | "in-process";
  /** The command line or address, without secrets. */
  readonly target: string;
  readonly cwd?: string | undefined;
  readonly source: string;
  /** `untrusted`: nobody has trusted its configuration yet, so it was not started. */
  readonly status:
    | "ready"
    | "cached"
    | "installing"
    | "unknown"
    | "disabled"
    | "untrusted"
    | "sign-in needed"
    | "failed";
  readonly toolCount?: number | undefined;
  readonly resourceCount?: number | undefined;
  readonly promptCount?: number | undefined;
  readonly processId?: number | undefined;
  readonly protocol?: "legacy" | "modern" | undefined;
  /** The command that a package runner resolves to. */
  readonly launch?: LaunchSummary | undefined;
  /** Problems in the server's listing. */
  readonly warnings?: readonly string[] | undefined;
  readonly error?: CoordinatorError | undefined;
}

/** Everything that one server offers. */
export interface ServerContents {
  readonly server: string;
  readonly instructions?: string | undefined;
  readonly tools: readonly ToolSummary[];
  readonly resources: readonly ListedResource[];
  readonly resourceTemplates: Listing["resourceTemplates"];
  readonly prompts: readonly ListedPrompt[];
}

export const listServers = async (
  host: Host,
  options: { readonly connect?: boolean | undefined; readonly only?: string | undefined } = {},
): Promise<readonly ServerSummary[]> =>
  Promise.all(
    host.configuration.servers
      .filter(({ name }) => options.only === undefined || name === options.only)
      .map((server) => toSummary(host, server, options.connect === true)),
  );

export const showServer = async (
  host: Host,
  { server }: { readonly server: string },
): Promise<ServerContents> => {
  const { name } = findServer(host, server);
  const catalog = await readCatalog(host, name);
  const listing = await host.upstreams.list(name);
  return {
    server: name,
    instructions: listing.instructions,
    // What it offers beside its tools follows as it is.
    tools: catalog.tools.filter(({ method }) => method === undefined).map(toToolSummary),
    resources: listing.resources,
    resourceTemplates: listing.resourceTemplates,
    prompts: listing.prompts,
  };
};

const toStatus = (state: UpstreamStatus["state"], listing: Listing | undefined): ServerSummary["status"] =>
  state === "ready" || state === "installing" ? state : listing === undefined ? "unknown" : "cached";

const toFailedStatus = ({ code }: CoordinatorError): ServerSummary["status"] =>
  code === "SIGN_IN_NEEDED" ? "sign-in needed" : "failed";

const toSummary = async (host: Host, server: ServerDefinition, connect: boolean): Promise<ServerSummary> => {
  const { target } = server;
  const known = {
    name: server.name,
    identifier: host.identifiers.get(server.name) ?? server.name,
    description: server.description,
    transport: target.kind,
    target: server.written,
    cwd: target.kind === "stdio" ? target.cwd : undefined,
    source: server.source,
  };
  if (!server.isEnabled) return { ...known, status: "disabled" };
  if (server.problem !== undefined) {
    const status = server.problem.code === "CONFIG_UNTRUSTED" ? "untrusted" : "failed";
    return { ...known, status, error: server.problem };
  }
  try {
    const listing = connect
      ? await host.upstreams.list(server.name, { refresh: true })
      : await host.upstreams.peek(server.name);
    const { state, processId, protocol, lastError } = host.upstreams.status(server.name);
    const failure =
      state === "failed"
        ? lastError
        : state === "idle"
          ? await host.upstreams.readFailure(server.name)
          : undefined;
    return {
      ...known,
      launch: await host.upstreams.describeLaunch(server.name),
      ...(failure === undefined
        ? { status: toStatus(state, listing) }
        : { status: toFailedStatus(failure), error: failure }),
      toolCount: listing?.tools.length,
      resourceCount: listing?.resources.length,
      promptCount: listing?.prompts.length,
      warnings: listing?.warnings,
      processId,
      protocol: protocol,
    };
  } catch (thrown) {
    const launch = await host.upstreams.describeLaunch(server.name);
    const error = toCoordinatorError(thrown);
    return { ...known, launch, status: toFailedStatus(error), error };
  }
};
