// A client of the direct surface in the test's own process: a host with fixture servers, and its sessions.
import { onTestFinished } from "vitest";
import type { DirectSession, OpenDirectRequest } from "../../src/coordinator/index.js";
import { type OpenedCoordinator, type OpenOptions, openCoordinator } from "../../src/index.js";
import { fixturePath } from "./fixture-servers.js";
import { temporaryFolder } from "./temporary-folder.js";

export interface DirectMessage {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
}

export interface DirectClient {
  /** The parsed result. Throws what the surface would send as an error. */
  readonly request: (
    method: string,
    params?: object,
    more?: { readonly signal?: AbortSignal },
  ) => Promise<Record<string, unknown>>;
  readonly call: (name: string, given?: object) => Promise<Record<string, unknown>>;
  /** Every message that the client has received so far: answers, requests and notifications. */
  readonly received: DirectMessage[];
  readonly session: DirectSession;
}

export const fixtureServer = (name: string, ...args: readonly string[]) => ({
  command: process.execPath,
  args: [fixturePath(name), ...args],
});

export const openDirectHost = async (
  mcpServers: Readonly<Record<string, object>>,
  {
    settings = {},
    folder,
    ...more
  }: Partial<OpenOptions> & { readonly settings?: object; readonly folder?: string } = {},
): Promise<OpenedCoordinator> => {
  const place = folder ?? (await temporaryFolder());
  const coordinator = await openCoordinator({
    config: { mcpServers, coordinator: { stateFolder: place, cacheFolder: place, ...settings } },
    ...more,
  } as OpenOptions);
  onTestFinished(() => coordinator.close());
  // A server that starts slowly would be left out of the first lists.
  for (const server of Object.keys(mcpServers)) await coordinator.showServer({ server });
  return coordinator;
};

export const openDirectClient = async (
  coordinator: OpenedCoordinator,
  {
    capabilities = {},
    protocol = "legacy",
    ...more
  }: Partial<OpenDirectRequest> & { readonly capabilities?: object } = {},
): Promise<DirectClient> => {
  const received: DirectMessage[] = [];
  const notify = (message: DirectMessage): void => void received.push(message);
  const session = await coordinator.openDirect({
    identity: { capabilities: capabilities as never, info: { name: "test", version: "1" } },
    protocol,
    notify,
    ...more,
  });
  onTestFinished(() => session.close());
  const request: DirectClient["request"] = async (method, params = {}, { signal } = {}) => {
    const text = await session.request({
      ...{ method, params: params as never, notify },
      signal: signal ?? new AbortController().signal,
      ask: more.ask,
    });
    if (text === undefined) throw new Error(`Not a method of servers: ${method}`);
    return JSON.parse(text) as Record<string, unknown>;
  };
  return {
    request,
    call: (name, given = {}) => request("tools/call", { name, arguments: given }),
    received,
    session,
  };
};
