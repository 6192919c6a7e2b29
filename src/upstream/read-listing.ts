// Asks a connected server for everything it offers, page by page, within bounds.
import type { Client, RequestOptions } from "@modelcontextprotocol/client";
import type { Listing } from "../contracts/index.js";
import { anyResult } from "./any-result.js";
import { findHeaderFault } from "./find-header-fault.js";
import { toListedPrompt, toListedResource, toListedTemplate, toListedTool } from "./to-listed.js";

const maxPages = 64;
const maxItems = 10_000;

interface ReadPagesOptions<Item> {
  readonly client: Client;
  readonly method: string;
  readonly key: string;
  readonly toItem: (raw: unknown) => Item | undefined;
  readonly request: RequestOptions;
}

const readPages = async <Item>(options: ReadPagesOptions<Item>): Promise<readonly Item[]> => {
  const { client, method, key, toItem, request } = options;
  const items: Item[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maxPages && items.length < maxItems; page += 1) {
    const params = cursor === undefined ? {} : { params: { cursor } };
    const result = await client.request({ method, ...params }, anyResult, request);
    const raw = result[key];
    for (const item of Array.isArray(raw) ? raw : []) {
      const listed = toItem(item);
      if (listed !== undefined && items.length < maxItems) items.push(listed);
    }
    const next = result.nextCursor;
    // A server that repeats a cursor would never come to an end.
    if (typeof next !== "string" || next === "" || next === cursor) break;
    cursor = next;
  }
  return items;
};

export interface ReadListingOptions {
  /** The configured name. */
  readonly server: string;
  readonly client: Client;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Arguments can be repeated as headers on this connection. */
  readonly repeatsArguments?: boolean;
}

/** What the server lists now. Without its tools it fails; what else is missing is left out. */
export const readListing = async (options: ReadListingOptions): Promise<Listing> => {
  const { server, client, timeoutMs, signal, repeatsArguments = false } = options;
  const request = { timeout: timeoutMs, signal };
  const offers = client.getServerCapabilities() ?? {};
  const read = async <Item>(
    isOffered: boolean,
    method: string,
    key: string,
    toItem: (raw: unknown) => Item | undefined,
  ): Promise<readonly Item[]> => (isOffered ? readPages({ client, method, key, toItem, request }) : []);
  const tolerate = <Item>(items: Promise<readonly Item[]>): Promise<readonly Item[]> => items.catch(() => []);

  const [tools, resources, resourceTemplates, prompts] = await Promise.all([
    read(offers.tools !== undefined, "tools/list", "tools", toListedTool),
    tolerate(read(offers.resources !== undefined, "resources/list", "resources", toListedResource)),
    tolerate(
      read(offers.resources !== undefined, "resources/templates/list", "resourceTemplates", toListedTemplate),
    ),
    tolerate(read(offers.prompts !== undefined, "prompts/list", "prompts", toListedPrompt)),
  ]);
  const serverVersion = client.getServerVersion()?.version;
  const instructions = client.getInstructions();
  return {
    server,
    ...(typeof serverVersion === "string" ? { serverVersion } : {}),
    ...(typeof instructions === "string" && instructions !== "" ? { instructions } : {}),
    tools: repeatsArguments
      ? tools.filter(({ inputSchema }) => findHeaderFault(inputSchema) === undefined)
      : tools,
    resources,
    resourceTemplates,
    prompts,
  };
};
