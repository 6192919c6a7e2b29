// The transports of `serve`, for tests that run over each of them: stdio, and HTTP with its token.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { StdioClientTransport as LegacyStdioTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as LegacyHttpTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport as LegacyTransport } from "@modelcontextprotocol/sdk/shared/transport.js";

const bin = fileURLToPath(new URL("../../bin/mcp-coordinator.mjs", import.meta.url));

export const transports = ["stdio", "http"] as const;

export interface Launch {
  readonly config: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Further arguments of `serve`. */
  readonly words?: readonly string[];
}

export interface OpenServe {
  /** For a client of the second SDK line. Over stdio each client has its own server. */
  readonly toTransport: () => StdioClientTransport | StreamableHTTPClientTransport;
  /** For a client of the first SDK line. */
  readonly toLegacyTransport: () => LegacyTransport;
  readonly close: () => Promise<void>;
}

export interface RunningServer {
  readonly url: string;
  /** Empty if none was generated. */
  readonly token: string;
  readonly processId: number;
  readonly stderr: () => string;
  /** Ends it as a service manager does; resolves with its exit code. */
  readonly stop: () => Promise<number | null>;
}

/** Starts `serve --http 0` and waits until it listens. */
export const startHttp = async ({ config, env, words = [] }: Launch): Promise<RunningServer> => {
  const given = [bin, "serve", "--config", config, "--http", "0", "--json", ...words];
  const child = spawn(process.execPath, given, {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      // Another home folder has its own state.
      XDG_STATE_HOME: env?.HOME === undefined ? process.env.XDG_STATE_HOME : undefined,
      ...env,
    },
  });
  const exited = once(child, "exit") as Promise<[number | null]>;
  let output = "";
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  const said = new Promise<{ url: string; token?: string }>((resolve, reject) => {
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      if (output.endsWith("}\n")) resolve(JSON.parse(output) as { url: string });
    });
    exited.then(() => reject(new Error(`serve ended: ${output}${errors}`))).catch(reject);
  });
  const { url, token = "" } = await said;
  return {
    url,
    token,
    processId: child.pid ?? 0,
    stderr: () => errors,
    stop: async () => {
      child.kill("SIGTERM");
      return (await exited)[0];
    },
  };
};

const openStdio = ({ config, env, words = [] }: Launch): OpenServe => {
  const launch = {
    command: process.execPath,
    args: [bin, "serve", "--config", config, ...words],
    ...(env === undefined ? {} : { env: { ...env } }),
    stderr: "pipe" as const,
  };
  return {
    toTransport: () => new StdioClientTransport(launch),
    toLegacyTransport: () => new LegacyStdioTransport(launch),
    close: async () => {},
  };
};

const openHttp = async (launch: Launch): Promise<OpenServe> => {
  const { url, token, stop } = await startHttp(launch);
  const options = { requestInit: { headers: { authorization: `Bearer ${token}` } } };
  return {
    toTransport: () => new StreamableHTTPClientTransport(new URL(url), options),
    toLegacyTransport: () => new LegacyHttpTransport(new URL(url), options) as LegacyTransport,
    close: async () => {
      await stop();
    },
  };
};

/** Over HTTP one server is started at once, with a state folder that has no callers yet. */
export const openServe = async (
  transport: (typeof transports)[number],
  launch: Launch,
): Promise<OpenServe> => (transport === "stdio" ? openStdio(launch) : openHttp(launch));
