// The direct sessions of one caller: one for each client identity, because servers see the client's own capabilities.
import {
  type ClientIdentity,
  type Fields,
  type ForwardedMessage,
  type JsonObject,
  readJson,
  ServerRefusal,
} from "../../../contracts/index.js";
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

/** The list that a notification says has changed. */
export const toChangedList = (method: string): ListKind | undefined =>
  /^notifications\/(tools|resources|prompts)\/list_changed$/.exec(method)?.[1] as ListKind | undefined;

/** The addresses of the resources that a client subscribes to. */
export const readAddresses = ({ resourceSubscriptions: wanted }: Fields): readonly string[] =>
  Array.isArray(wanted) ? wanted.filter((one) => typeof one === "string") : [];

/** Answers as text, with our own tools in the list of tools if they are offered as well. */
export const requestDirect = async (
  session: DirectSession,
  request: DirectRequest,
  { coordinator, offers }: DirectOptions,
): Promise<string> => {
  const answered = session.request(request);
  if (answered === undefined) throw new ServerRefusal(-32_601, "Method not found");
  if (offers === "direct" || request.method !== "tools/list") return answered;
  const [text, own] = await Promise.all([answered, readTools(coordinator)]);
  const result = (await readJson(text)) as { readonly tools: readonly JsonObject[] };
  return JSON.stringify({ ...result, tools: [...own, ...result.tools] });
};

/** Names that servers cannot have. */
const reservedNames = ({ offers }: DirectOptions): readonly string[] =>
  offers === "both" ? agentToolNames : [];

/** Whether servers answer the request. All others are answered by the coordinator. */
export const isForwarded = (
  options: DirectOptions,
  method: string,
  params: JsonObject | undefined,
): boolean =>
  forwarded.has(method) &&
  !(method === "tools/call" && reservedNames(options).includes(String(params?.name)));

const forwarded: ReadonlySet<string> = new Set([
  "tools/list",
  "tools/call",
  "prompts/list",
  "prompts/get",
  "completion/complete",
  "logging/setLevel",
  "resources/list",
  "resources/templates/list",
  "resources/read",
  "resources/subscribe",
  "resources/unsubscribe",
]);

type OpenRequest = Omit<Parameters<Coordinator["openDirect"]>[0], "reserved">;

/** A session of one client with all servers. */
export const openSession = (options: DirectOptions, request: OpenRequest): Promise<DirectSession> =>
  options.coordinator.openDirect({ ...request, reserved: reservedNames(options) });

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
  read: (request: DirectRequest) => Promise<string>,
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
      if (text === before) continue;
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
        if (!shown.has(method)) shown.set(method, text);
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
    const session = openSession(options, { identity, protocol: "modern", notify });
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
    read: (identity, request) => use(identity, (session) => requestDirect(session, request, options)),
    close: async () => {
      for (const key of [...known.keys()]) drop(key);
      await Promise.all(closing);
    },
  };
};
