// The direct surface for one client: all servers as one MCP server. Each request goes to the server that owns the named item.
import {
  type JsonObject,
  type NamedItem,
  type PeopleAnswer,
  type RunQuestion,
  ServerRefusal,
  type Tool,
  type ToolResult,
} from "../../contracts/index.js";
import type { UpstreamLink } from "../../upstream/index.js";
import type { Host } from "../host/host.js";
import {
  callDirect,
  type OfferedUse,
  toCompletionUse,
  toPromptUse,
  toResourceUse,
  useOffered,
} from "./call-direct.js";
import { openLiveCatalog } from "./direct-catalog.js";
import {
  askApproval,
  checkCapability,
  checkHeaders,
  type DirectRequest,
  type DirectSession,
  invalidParams,
  legacyOnly,
  type OpenDirectRequest,
  readArguments,
  readText,
  renameContents,
  resourceNotFound,
  toProtocol,
  toRefusal,
  toToolError,
} from "./direct-request.js";
import { askHidden, hideAddress, openHiddenLists, openHiddenNotes } from "./hide-direct.js";
import { type AskClient, openPendingRequests, type PendingRequests } from "./pending-requests.js";
import { openSender } from "./send-request.js";
import { type OnUpdated, openResourceWatches } from "./watch-resources.js";

type Handler = (request: DirectRequest) => Promise<string>;

export const openDirect = async (host: Host, options: OpenDirectRequest): Promise<DirectSession> => {
  const { protocol, identity, isCaller = false, caller } = options;
  const pending: PendingRequests = openPendingRequests();

  const link: UpstreamLink = host.upstreams.openLink({
    identity,
    onListChanged: () => {
      catalog.forget();
      for (const kind of ["tools", "resources", "prompts"])
        options.notify({ method: `notifications/${kind}/list_changed` });
    },
    onRequest: async (server, message) => {
      checkCapability(identity, message);
      const { ask = options.ask, notify = options.notify } = findActive(server) ?? {};
      if (ask === undefined)
        throw new ServerRefusal(
          -32_603,
          "The server asked a question, but no request of the client is open to carry it",
        );
      return askHidden(host, server, message, { ask, notify });
    },
    onNotification: (server, message) => {
      if (message.method === "notifications/resources/updated") watches.notify(server, message);
      else openHiddenNotes(host, server, findActive(server)?.notify ?? options.notify).notify(message);
    },
  });
  const { send, findActive, setLogLevel, close: closeSender } = openSender(host, options, link.forward);
  const watches = openResourceWatches(link);

  const catalog = openLiveCatalog(host, link, { reserved: new Set(options.reserved), caller });
  const lists = openHiddenLists(host);
  const findResource = async (uri: string): Promise<NamedItem> => {
    const item = await catalog.find((known) => known.findResource(lists.find(uri)));
    if (item === undefined) throw resourceNotFound(uri, protocol);
    return item;
  };
  const endListening = host.onToolsChanged(catalog.forget);

  /** A client of the 2026 protocol is asked with a result, and repeats its request with the answer. */
  const holding = (
    { ask, params = {}, signal }: DirectRequest,
    work: (ask: AskClient | undefined, signal: AbortSignal) => Promise<string>,
  ): Promise<string> =>
    protocol === "legacy"
      ? work(ask, signal)
      : (pending.resume(params, signal) ?? pending.begin(work, signal));

  /** Asks a person through the client, unless the settings say that clients must not. */
  const approveWith =
    (ask: AskClient | undefined) =>
    async (question: RunQuestion): Promise<PeopleAnswer | undefined> =>
      host.configuration.settings.approvals === "outside" ? undefined : askApproval(identity, question, ask);
  const findOffered = async (server: string, use: string): Promise<Tool> => {
    const found = await catalog.find((known) => known.findOffered(server, use));
    if (found === undefined) throw invalidParams(`The server "${server}" does not offer it any more`);
    return found;
  };
  const useItem = async ({ server }: NamedItem, request: DirectRequest, use: OfferedUse): Promise<string> => {
    const tool = await findOffered(server, use.tool);
    return holding(request, (ask, signal) =>
      useOffered(host, {
        tool,
        use,
        isCaller,
        caller,
        signal,
        params: request.params ?? {},
        send: (params, callSignal = signal) => send(tool, { ...request, params, signal: callSignal }, ask),
        approve: approveWith(ask),
      }).catch((thrown: unknown) => {
        throw toRefusal(thrown, request.method);
      }),
    );
  };
  /** Rules on reads apply too, because a subscription reveals when the content changes. */
  const watch = async (
    item: NamedItem,
    onUpdated: OnUpdated,
    { signal, ask }: Partial<Pick<DirectRequest, "signal" | "ask">>,
  ): Promise<void> => {
    const read = await findOffered(item.server, "resources.read");
    await callDirect(host, {
      alsoRuled: read,
      isCaller,
      caller,
      isClientOnly: true,
      tool: { ...read, name: "resources.watch" },
      arguments: { uri: await hideAddress(host, item) },
      signal: signal ?? new AbortController().signal,
      send: async () => {
        await watches.add(item, onUpdated);
        return {};
      },
      approve: approveWith(ask),
    }).catch((thrown: unknown) => {
      throw toRefusal(thrown, "resources/subscribe");
    });
  };

  const callTool: Handler = async (request) => {
    const name = readText(request, "name");
    const tool = await catalog.find((known) => known.findTool(name));
    if (tool === undefined) throw invalidParams(`Unknown tool: ${name.slice(0, 200)}`);
    const given = readArguments(request);
    checkHeaders(tool, given, request);
    return holding(request, async (ask, signal) => {
      try {
        return await callDirect(host, {
          tool,
          arguments: given,
          isCaller,
          caller,
          signal,
          send: (value, callSignal = signal) => {
            const params = { ...request.params, name: tool.name, arguments: value };
            return send(tool, { ...request, params, signal: callSignal }, ask);
          },
          approve: approveWith(ask),
        });
      } catch (thrown) {
        if (thrown instanceof ServerRefusal) throw thrown;
        return JSON.stringify(toToolError(thrown, protocol));
      }
    });
  };

  const toList =
    (key: "tools" | "resources" | "resourceTemplates" | "prompts"): Handler =>
    async ({ method }) => {
      const known = await catalog.read();
      const items = key === "tools" ? known.tools : await lists.hide(known, key);
      return JSON.stringify(toProtocol(protocol, method, { [key]: items } as ToolResult));
    };

  /** Listeners of subscribed resources, by public address. */
  const subscribed = new Map<string, OnUpdated>();

  const handlers = new Map<string, Handler>([
    ["tools/list", toList("tools")],
    ["tools/call", callTool],
    ["resources/list", toList("resources")],
    ["resources/templates/list", toList("resourceTemplates")],
    ["prompts/list", toList("prompts")],
    [
      "resources/read",
      async (request) => {
        const uri = readText(request, "uri");
        const item = await findResource(uri);
        const text = await useItem(item, request, toResourceUse(await hideAddress(host, item)));
        return item.name === uri ? text : renameContents(text, item.name, uri);
      },
    ],
    [
      "resources/subscribe",
      async (request) => {
        const uri = readText(request, "uri");
        const onUpdated: OnUpdated =
          subscribed.get(uri) ??
          (({ method, params }) => options.notify({ method, params: { ...params, uri } }));
        await watch(await findResource(uri), onUpdated, request);
        subscribed.set(uri, onUpdated);
        return "{}";
      },
    ],
    [
      "resources/unsubscribe",
      async (request) => {
        const uri = readText(request, "uri");
        const onUpdated = subscribed.get(uri);
        if (onUpdated !== undefined) watches.remove(await findResource(uri), onUpdated);
        subscribed.delete(uri);
        return "{}";
      },
    ],
    [
      "prompts/get",
      async (request) => {
        const name = readText(request, "name");
        const item = await catalog.find((known) => known.findPrompt(name));
        if (item === undefined) throw invalidParams(`Unknown prompt: ${name.slice(0, 200)}`);
        return useItem(item, request, toPromptUse(item.name, request));
      },
    ],
    [
      "completion/complete",
      async (request) => {
        const ref = (request.params?.ref ?? {}) as JsonObject;
        const isPrompt = ref.type === "ref/prompt";
        const name = String(isPrompt ? ref.name : ref.uri);
        const item = await catalog.find((known) =>
          isPrompt ? known.findPrompt(name) : known.findTemplate(lists.find(name)),
        );
        if (item === undefined) throw invalidParams(`Unknown reference: ${name.slice(0, 200)}`);
        return useItem(item, request, toCompletionUse(isPrompt, await hideAddress(host, item), request));
      },
    ],
    [
      "logging/setLevel",
      async (request) => {
        const level = readText(request, "level");
        setLogLevel(level);
        await link.setLevel(level);
        return "{}";
      },
    ],
  ]);

  return {
    request: (request) => {
      if (protocol === "modern" && legacyOnly.has(request.method)) return undefined;
      return handlers.get(request.method)?.(request);
    },
    notify: (message) => {
      if (message.method === "notifications/roots/list_changed") link.notify(message);
    },
    watchResource: (address, onUpdated) => {
      const controller = new AbortController();
      const found = findResource(address).then(async (item) => {
        await watch(item, onUpdated, { signal: controller.signal });
        return item;
      });
      found.catch(() => {});
      return () => {
        controller.abort();
        void found.then((item) => watches.remove(item, onUpdated)).catch(() => {});
      };
    },
    close: async () => {
      endListening();
      pending.close();
      closeSender();
      watches.close();
      await link.close();
    },
  };
};
