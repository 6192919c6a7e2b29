// Lists the tools of one server or of all, and shows one tool in full.
import { isDeprecated } from "../../catalog/index.js";
import { renderDeclaration, renderImportLine, renderSignature } from "../../codegen/index.js";
import {
  type JsonSchema,
  type LearnedResult,
  type ServerCatalog,
  settleWithin,
  type Tool,
  toCoordinatorError,
} from "../../contracts/index.js";
import { findServer, findTool, type Host, readCatalog } from "../host/host.js";
import type { UnavailableServer } from "./search-tools.js";

/** One tool as `listTools` lists it. */
export interface ToolSummary {
  readonly server: string;
  readonly name: string;
  readonly functionName: string;
  readonly description: string;
  readonly isReadOnly: boolean;
  /** Its description says so. */
  readonly isDeprecated?: true | undefined;
}

/** One tool in full: its schemas, and its declaration as programs see it. */
export interface ToolDescription extends ToolSummary {
  readonly identifier: string;
  readonly title?: string | undefined;
  readonly isDestructive: boolean;
  /** The TypeScript signature in one line. */
  readonly signature: string;
  /** The full TypeScript declaration with comments. */
  readonly declaration: string;
  /** The import line. */
  readonly importLine: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema | undefined;
  /** The result type learned from answers, if the tool declares none. */
  readonly learned?: LearnedResult | undefined;
  readonly fingerprint: string;
}

export interface ReadCatalogs {
  readonly catalogs: readonly ServerCatalog[];
  /** Servers whose tools are not known, with the reason. */
  readonly unavailable: readonly UnavailableServer[];
}

export interface ReadCatalogsOptions {
  readonly refresh?: boolean | undefined;
  /** How long to wait for servers whose tools are not known. They continue to start. @default until each has answered or failed */
  readonly waitMs?: number | undefined;
  /** Only these servers. @default all enabled servers */
  readonly servers?: readonly string[] | undefined;
}

/** How long to wait if no tool is known at all: for servers that start, and if all are being installed. */
const maxWaitForFirst = { startMs: 10_000, installMs: 4_000 };

export const listTools = async (
  host: Host,
  options: ReadCatalogsOptions & { readonly server?: string | undefined } = {},
): Promise<readonly ToolSummary[]> => {
  const refresh = options.refresh === true;
  if (options.server !== undefined) {
    const { tools } = await readCatalog(host, findServer(host, options.server).name, { refresh });
    return tools.map(toToolSummary);
  }
  const { catalogs } = await readCatalogs(host, { refresh, waitMs: options.waitMs });
  return catalogs.flatMap((catalog) => catalog.tools.map(toToolSummary));
};

/** The catalogs of every usable server. A server that hangs or fails does not delay the others. */
export const readCatalogs = async (
  host: Host,
  { refresh = false, waitMs, servers }: ReadCatalogsOptions = {},
): Promise<ReadCatalogs> => {
  const usable = host.configuration.servers.filter(
    ({ name, isEnabled }) => isEnabled && (servers === undefined || servers.includes(name)),
  );
  const answers = new Map<string, ServerCatalog | UnavailableServer>();
  const reading = usable.map(async ({ name }) => {
    answers.set(name, await readOrExplain(host, name, refresh));
  });
  if (waitMs === undefined) await Promise.all(reading);
  else {
    await settleWithin(Promise.all(reading), waitMs);
    const isNothingKnown = ![...answers.values()].some((answer) => "tools" in answer);
    const pending = usable.filter(({ name }) => !answers.has(name));
    if (isNothingKnown && pending.length > 0) {
      const first = pending.map(async (server) => {
        await reading[usable.indexOf(server)];
        mustBeKnown(answers.get(server.name));
      });
      const areInstalling = pending.every(({ name }) => isInstalling(host, name));
      const { startMs, installMs } = maxWaitForFirst;
      await settleWithin(Promise.any(first), areInstalling ? installMs : startMs);
    }
  }
  const catalogs: ServerCatalog[] = [];
  const unavailable: UnavailableServer[] = [];
  for (const { name } of usable) {
    const answer = answers.get(name) ?? (await readPending(host, name));
    if ("tools" in answer) catalogs.push(answer);
    else unavailable.push(answer);
  }
  return { catalogs, unavailable };
};

const readOrExplain = async (
  host: Host,
  server: string,
  refresh: boolean,
): Promise<ServerCatalog | UnavailableServer> => {
  const isStale = refresh || (await host.upstreams.isStale(server));
  try {
    return await readCatalog(host, server, {
      refresh: isStale,
      priority: refresh ? "foreground" : "background",
    });
  } catch (thrown) {
    // An old listing is better than none, unless a new one was requested.
    const known = refresh ? undefined : await readKnownCatalog(host, server);
    if (known !== undefined) return known;
    const { code, message } = toCoordinatorError(thrown);
    const loginCommand = code === "SIGN_IN_NEEDED" ? host.toCommand(["login", server]) : undefined;
    return { server, reason: message, loginCommand };
  }
};

/** The state of a server that has not answered yet. */
const readPending = async (host: Host, server: string): Promise<ServerCatalog | UnavailableServer> => {
  const known = await readKnownCatalog(host, server);
  if (known !== undefined) return known;
  if (isInstalling(host, server))
    return { server, reason: "its package is being installed", isInstalling: true };
  host.upstreams.markOverdue(server);
  return { server, reason: "it is still starting", isStarting: true };
};

const isInstalling = ({ upstreams }: Host, server: string): boolean =>
  upstreams.status(server).state === "installing";

/** The tools of a server if they are in memory or in the cache. Does not start it. */
export const readKnownCatalog = async (host: Host, server: string): Promise<ServerCatalog | undefined> =>
  host.catalogs.has(server) || (await host.upstreams.peek(server).catch(() => undefined)) !== undefined
    ? readCatalog(host, server)
    : undefined;

const mustBeKnown = (answer: ServerCatalog | UnavailableServer | undefined): void => {
  if (answer === undefined || !("tools" in answer)) throw new Error("No tools");
};

export const showTool = async (
  host: Host,
  { server, tool }: { readonly server: string; readonly tool: string },
): Promise<ToolDescription> => {
  const { name } = findServer(host, server);
  const found = await host.shapes.show(await findTool(host, name, tool));
  const { identifier } = await readCatalog(host, name);
  return {
    ...toToolSummary(found),
    identifier,
    title: found.title,
    isDestructive: found.isDestructive,
    signature: renderSignature({ tool: found, identifier }),
    declaration: renderDeclaration({ tool: found, identifier }),
    importLine: renderImportLine({ tool: found, identifier }),
    inputSchema: found.inputSchema,
    outputSchema: found.outputSchema,
    learned: found.learned,
    fingerprint: found.fingerprint,
  };
};

export const toToolSummary = (tool: Tool): ToolSummary => ({
  server: tool.server,
  name: tool.name,
  functionName: tool.functionName,
  description: tool.description,
  isReadOnly: tool.isReadOnly,
  isDeprecated: isDeprecated(tool) || undefined,
});
