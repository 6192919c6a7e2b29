// A coordinator over HTTP in this process, and requests to it that no client library would send.
import { request } from "node:http";
import { connect } from "node:net";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { NewCaller } from "../../../src/contracts/index.js";
import { type Coordinator, type OpenOptions, openCoordinator } from "../../../src/coordinator/index.js";
import { type ServeHttpOptions, serveHttpSurface } from "../../../src/surfaces/mcp-server/index.js";
import { type OpenFixture, openFixture } from "../../support/open-fixture.js";

export interface Asked {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

export interface OpenPort {
  readonly fixture: OpenFixture;
  readonly coordinator: Coordinator;
  readonly port: number;
  readonly url: string;
  readonly owner: NewCaller;
  /** One request with exactly these headers, besides Host. */
  readonly ask: (asked?: Asked) => Promise<Answer>;
  /** Sends raw bytes; resolves to what came back until the other side closed, or until the text appeared. */
  readonly send: (bytes: string, until?: string) => Promise<string>;
  readonly connect: (token: string, options?: ConstructorParameters<typeof Client>[1]) => Promise<Client>;
  readonly close: () => Promise<void>;
}

export const jsonHeaders = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};

export const initialize = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } },
});

export const callTool = (name: string, given: object, id = 2): string =>
  JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: given } });

export const openPort = async (
  settings: NonNullable<OpenOptions["settings"]> = {},
  options: Partial<ServeHttpOptions> = {},
  servers: Record<string, object> = {},
): Promise<OpenPort> => {
  const fixture = await openFixture(servers, settings);
  const { coordinator, folder } = fixture;
  const others: Coordinator[] = [];
  const openWorkspace = async (workspace: string): Promise<Coordinator> => {
    const folders = { cacheFolder: `${folder}/cache`, stateFolder: `${folder}/state` };
    const config = { mcpServers: {} };
    const other = await openCoordinator({ config, settings: { ...settings, ...folders, workspace } });
    others.push(other);
    return other;
  };
  const owner = await coordinator.addCaller({ name: "default" });
  const surface = await serveHttpSurface({ coordinator, openWorkspace, port: 0, ...options });
  const port = Number(new URL(surface.url).port);
  return {
    fixture,
    coordinator,
    port,
    url: surface.url,
    owner,
    ask: ({ method = "POST", path = "/mcp", headers = {}, body = "" } = {}) =>
      new Promise((resolve, reject) => {
        const sent = request(
          { host: "127.0.0.1", port, method, path, agent: false, headers: headers as Record<string, string> },
          (response) => {
            let text = "";
            response.setEncoding("utf8").on("data", (part: string) => {
              text += part;
            });
            response.once("close", () =>
              resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
            );
          },
        );
        sent.once("error", reject);
        sent.end(body);
      }),
    send: (bytes, until) =>
      new Promise((resolve, reject) => {
        const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
        let text = "";
        socket.setEncoding("utf8").on("data", (part: string) => {
          text += part;
          if (until !== undefined && text.includes(until)) socket.destroy();
        });
        socket.once("error", reject);
        socket.once("close", () => resolve(text));
      }),
    connect: async (token, clientOptions) => {
      const client = new Client({ name: "test", version: "1" }, clientOptions);
      const requestInit = { headers: { authorization: `Bearer ${token}` } };
      await client.connect(new StreamableHTTPClientTransport(new URL(surface.url), { requestInit }));
      return client;
    },
    close: async () => {
      await surface.close();
      await Promise.all(others.map((other) => other.close()));
      await fixture.close();
    },
  };
};
