// The direct sessions of one caller: one for each client identity, because servers see the client's own capabilities.
import type { ClientIdentity, ForwardedMessage, JsonObject } from "../../../contracts/index.js";
import type { Coordinator, DirectRequest, DirectSession } from "../../../coordinator/index.js";
import { agentToolNames, readTools } from "../agent-tools/index.js";

/** What `serve` offers: our tools for programs, the servers' own tools, or both. */
export type Offers = "code" | "direct" | "both";

export interface DirectOptions {
  readonly coordinator: Coordinator;
  readonly offers: Exclude<Offers, "code">;
}

/** Declares every capability, because those of the servers are not known before they start. */
export const directCapabilities = {
  tools: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  prompts: { listChanged: true },
  completions: {},
  logging: {},
};

const lists = {
  tools: "tools/list",
  resources: "resources/list",
  prompts: "prompts/list",
} as const;
export type ListKind = keyof typeof lists;

/** Answers as text, with our own tools in the list of tools if they are offered as well. */
export const requestDirect = (
  session: DirectSession,
  request: DirectRequest,
  { coordinator, offers }: DirectOptions,
): Promise<string> | undefined => {
  const { method, params } = request;
  if (offers === "both" && method === "tools/call" && ownNames.has(String(params?.name))) return undefined;
  const answered = session.request(request);
  if (answered === undefined || offers === "direct" || method !== "tools/list") return answered;
  return Promise.all([answered, readTools(coordinator)]).then(([text, own]) => {
    const result = JSON.parse(text) as { readonly tools: readonly JsonObject[] };
    return JSON.stringify({ ...result, tools: [...own, ...result.tools] });
  });
};

const ownNames: ReadonlySet<string> = new Set(agentToolNames);

/** Names that servers cannot have. */
export const reservedNames = ({ offers }: DirectOptions): readonly string[] =>
  offers === "both" ? agentToolNames : [];

/** Lists of several servers often change together. Short, because clients wait for the notification. */
const quietMs = 50;

export interface WatchedLists {
  /** A client has read a list. */
  readonly note: (method: string, text: string) => void;
  /** A 2026 client subscribes to changes of lists. They are read now, because the client may never have read them. */
  readonly subscribe: (wanted: JsonObject) => Promise<void>;
  readonly end: () => void;
}

/** Calls `onChanged` when a list has changed that a client has read or subscribed to. */
export const watchLists = (
  { coordinator }: DirectOptions,
  read: (request: DirectRequest) => Promise<string> | undefined,
  onChanged: (kind: ListKind) => void,
): WatchedLists => {
  const shown = new Map<string, string>();
  let timer: NodeJS.Timeout | undefined;
  const request = { signal: new AbortController().signal, notify: () => {} };
  const compare = async (): Promise<void> => {
    timer = undefined;
    for (const [kind, method] of Object.entries(lists)) {
      const before = shown.get(method);
      if (before === undefined) continue;
      const text = await read({ ...request, method });
      if (text === undefined || text === before) continue;
      shown.set(method, text);
      onChanged(kind as ListKind);
    }
  };
  const end = coordinator.onToolsChanged(() => {
    clearTimeout(timer);
    timer = setTimeout(() => void compare().catch(() => {}), quietMs).unref();
  });
  return {
    note: (method, text) => void shown.set(method, text),
    subscribe: async (wanted) => {
      for (const [kind, method] of Object.entries(lists)) {
        if (wanted[`${kind}ListChanged`] !== true || shown.has(method)) continue;
        const text = await read({ ...request, method });
        if (text !== undefined && !shown.has(method)) shown.set(method, text);
      }
    },
    end: () => {
      clearTimeout(timer);
      end();
    },
  };
};

interface Known {
  readonly session: Promise<DirectSession>;
  /** Requests in progress. */
  open: number;
}

interface DirectSessions {
  /** Makes our own request on behalf of a client. Opens its session again if it has ended. */
  readonly read: (identity: ClientIdentity, request: DirectRequest) => Promise<string>;
  /** Runs a request in the session of its client. */
  readonly use: <Result>(
    identity: ClientIdentity,
    work: (session: DirectSession) => Promise<Result>,
  ) => Promise<Result>;
  readonly close: () => Promise<void>;
}

/** Clients rarely change their capabilities, and a hostile one must not open any number of servers. */
const maxSessions = 16;

/** Sessions for clients of the 2026 protocol, which have none of their own. */
export const openDirectSessions = (
  options: DirectOptions,
  notify: (message: ForwardedMessage) => void,
): DirectSessions => {
  const known = new Map<string, Known>();
  const closing = new Set<Promise<void>>();
  const drop = (key: string): void => {
    const found = known.get(key);
    known.delete(key);
    if (found === undefined) return;
    const ended = found.session
      .then((session) => session.close())
      .catch(() => {})
      .finally(() => closing.delete(ended));
    closing.add(ended);
  };
  const find = (identity: ClientIdentity): Known => {
    const key = JSON.stringify(identity);
    const found = known.get(key);
    if (found !== undefined) {
      // Moves it to the end: the least recently used session is closed first.
      known.delete(key);
      known.set(key, found);
      return found;
    }
    const idle = [...known].find(([, one]) => one.open === 0)?.[0];
    if (known.size >= maxSessions && idle !== undefined) drop(idle);
    const { coordinator } = options;
    const session = coordinator.openDirect({
      identity,
      protocol: "modern",
      notify,
      reserved: reservedNames(options),
    });
    const opened: Known = { session, open: 0 };
    known.set(key, opened);
    session.catch(() => known.delete(key));
    return opened;
  };
  const use: DirectSessions["use"] = async (identity, work) => {
    const found = find(identity);
    found.open++;
    try {
      return await work(await found.session);
    } finally {
      found.open--;
    }
  };
  return {
    use,
    read: (identity, request) =>
      use(identity, async (session) => (await requestDirect(session, request, options)) ?? "undefined"),
    close: async () => {
      for (const key of [...known.keys()]) drop(key);
      await Promise.all(closing);
    },
  };
};
