// Lists everything that a connected server offers, page by page, within limits, and watches for changes.
import type { Client, RequestOptions } from "@modelcontextprotocol/client";
import { type ListedTool, type Listing, listingLimits, pause } from "../../contracts/index.js";
import type { Connection } from "../open-connection.js";
import { measureValue } from "../transport/incoming-limits.js";
import { anyResult } from "../transport/replaced-answers.js";
import {
  cutText,
  findHeaderFault,
  leftOutKeyword,
  openSchemaBudget,
  toListedPrompt,
  toListedResource,
  toListedTemplate,
  toListedTool,
} from "./to-listed.js";

const maxPages = 64;

interface ReadPagesOptions<Item> {
  readonly client: Client;
  readonly method: string;
  readonly key: string;
  readonly toItem: (raw: unknown) => Item | undefined;
  readonly maxItems: number;
  readonly request: RequestOptions;
}

interface Pages<Item> {
  readonly items: readonly Item[];
  /** How many listed items could not be used. */
  readonly leftOut: number;
  /** The server has more than we read. */
  readonly isCut: boolean;
}

/** Limits the total. Each item is already limited. */
const unbounded = {
  parts: Number.POSITIVE_INFINITY,
  depth: Number.POSITIVE_INFINITY,
  length: Number.POSITIVE_INFINITY,
};

const lengthOf = (item: unknown): number => {
  const measured = measureValue(item, unbounded);
  return "tooMuch" in measured ? Number.POSITIVE_INFINITY : measured.length;
};

const readPages = async <Item>(options: ReadPagesOptions<Item>): Promise<Pages<Item>> => {
  const { client, method, key, toItem, maxItems, request } = options;
  const items: Item[] = [];
  let leftOut = 0;
  let length = 0;
  let cursor: string | undefined;
  for (let page = 0; page < maxPages && items.length < maxItems; page += 1) {
    const params = cursor === undefined ? {} : { params: { cursor } };
    const result = await client.request({ method, ...params }, anyResult, request);
    const raw = result[key];
    const before = result[leftOutKeyword];
    leftOut += typeof before === "number" ? before : 0;
    for (const item of Array.isArray(raw) ? raw : []) {
      if (items.length >= maxItems) return { items, leftOut, isCut: true };
      const listed = toItem(item);
      if (listed === undefined) leftOut += 1;
      else {
        length += lengthOf(listed);
        if (length > listingLimits.listingLength) return { items, leftOut, isCut: true };
        items.push(listed);
      }
      await pause();
    }
    const next = result.nextCursor;
    // A server that repeats a cursor would never end.
    if (typeof next !== "string" || next === "" || next === cursor) return { items, leftOut, isCut: false };
    cursor = next;
  }
  return { items, leftOut, isCut: true };
};

const toWarnings = ({ items, leftOut, isCut }: Pages<ListedTool>): readonly string[] => {
  const unchecked = items.filter((tool) => tool.unchecked !== undefined).length;
  return [
    ...(isCut ? [`it lists more than ${items.length} tools; only these are used`] : []),
    ...(leftOut === 0
      ? []
      : [`${leftOut} of its tools have no usable name (1 to ${listingLimits.nameLength} characters)`]),
    ...(unchecked === 0
      ? []
      : [`${unchecked} of its tools have schemas that are too large; their arguments are not checked`]),
  ];
};

export interface ReadListingOptions {
  /** The configured name. */
  readonly server: string;
  readonly client: Client;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** This connection can repeat arguments as headers. */
  readonly repeatsArguments?: boolean | undefined;
}

/** Lists the server. Fails if the tools cannot be listed; other missing parts are ignored. */
export const readListing = async (options: ReadListingOptions): Promise<Listing> => {
  const { server, client, timeoutMs, signal, repeatsArguments = false } = options;
  const request = { timeout: timeoutMs, signal };
  const offers = client.getServerCapabilities() ?? {};
  const budget = openSchemaBudget();
  const read = async <Item>(
    isOffered: boolean,
    method: string,
    key: string,
    toItem: (raw: unknown) => Item | undefined,
    maxItems: number = listingLimits.items,
  ): Promise<Pages<Item>> =>
    isOffered
      ? readPages({ client, method, key, toItem, maxItems, request })
      : { items: [], leftOut: 0, isCut: false };
  const tolerate = <Item>(pages: Promise<Pages<Item>>): Promise<readonly Item[]> =>
    pages.then(
      ({ items }) => items,
      () => [],
    );

  const [tools, resources, resourceTemplates, prompts] = await Promise.all([
    read(
      offers.tools !== undefined,
      "tools/list",
      "tools",
      (raw) => toListedTool(raw, budget),
      listingLimits.tools,
    ),
    tolerate(read(offers.resources !== undefined, "resources/list", "resources", toListedResource)),
    tolerate(
      read(offers.resources !== undefined, "resources/templates/list", "resourceTemplates", toListedTemplate),
    ),
    tolerate(read(offers.prompts !== undefined, "prompts/list", "prompts", toListedPrompt)),
  ]);
  const warnings = toWarnings(tools);
  const serverVersion = client.getServerVersion()?.version;
  const instructions = client.getInstructions();
  return {
    server,
    serverVersion:
      typeof serverVersion === "string" ? serverVersion.slice(0, listingLimits.nameLength) : undefined,
    instructions: typeof instructions === "string" && instructions !== "" ? cutText(instructions) : undefined,
    tools: repeatsArguments
      ? tools.items.filter(({ inputSchema }) => findHeaderFault(inputSchema) === undefined)
      : tools.items,
    resources,
    resourceTemplates,
    prompts,
    canWatch: offers.resources?.subscribe === true || undefined,
    warnings: warnings.length === 0 ? undefined : warnings,
  };
};

const changes = [
  "notifications/tools/list_changed",
  "notifications/resources/list_changed",
  "notifications/prompts/list_changed",
] as const;

/** The first change is handled at once, and the next few soon. While more arrive, they are handled at growing intervals. */
const minIntervalMs = 250;
const maxIntervalMs = 60_000;
const soonRuns = 4;

/** Throttles: one call at once, one later for all that arrived meanwhile. */
export const slowDown = (run: () => void): (() => void) => {
  let timer: NodeJS.Timeout | undefined;
  let intervalMs = minIntervalMs;
  let delayed = 0;
  let lastAt = Number.NEGATIVE_INFINITY;
  const runNow = (): void => {
    timer = undefined;
    lastAt = performance.now();
    run();
  };
  return () => {
    if (timer !== undefined) return;
    const quietMs = performance.now() - lastAt;
    if (quietMs > 2 * intervalMs) {
      intervalMs = minIntervalMs;
      delayed = 0;
    }
    if (quietMs >= intervalMs) return runNow();
    timer = setTimeout(runNow, intervalMs - quietMs);
    timer.unref();
    if (++delayed >= soonRuns) intervalMs = Math.min(2 * intervalMs, maxIntervalMs);
  };
};

export const watchLists = (connection: Connection, timeoutMs: number, onChanged: () => void): void => {
  const { client, version } = connection;
  const onNotified = slowDown(onChanged);
  for (const change of changes) client.setNotificationHandler(change, onNotified);
  if (version.kind === "legacy") return;
  // In the 2026 protocol a server notifies only subscribers.
  const offers = client.getServerCapabilities();
  const filter = {
    ...(offers?.tools?.listChanged === true ? { toolsListChanged: true } : {}),
    ...(offers?.resources?.listChanged === true ? { resourcesListChanged: true } : {}),
    ...(offers?.prompts?.listChanged === true ? { promptsListChanged: true } : {}),
  };
  // Without the subscription, a change is noticed at the next connection.
  if (Object.keys(filter).length > 0) client.listen(filter, { timeout: timeoutMs }).catch(() => {});
};
