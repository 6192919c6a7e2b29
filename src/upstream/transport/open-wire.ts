// Opens the raw transport to a server: its process, or its address.
import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { Transport } from "@modelcontextprotocol/client";
import { CoordinatorError, type HttpTarget, type StdioTarget, settleWithin } from "../../contracts/index.js";
import {
  type Environment,
  findCommand,
  searchPathOf,
  toChildEnvironment,
  withFirstPaths,
  withSearchPath,
} from "../child-environment.js";
import { diagnoseMissing } from "../diagnose-start.js";
import type { Launch } from "../launch/launcher.js";
import type { ProcessReport } from "../open-connection.js";
import type { TokenSource } from "../sign-in/token-source.js";
import { createGuardedFetch } from "./guarded-fetch.js";
import { startProcess } from "./stdio-process.js";
import { StdioTransport } from "./stdio-transport.js";

export type Sdk = typeof import("@modelcontextprotocol/client");

export const loadSdk = (): Promise<Sdk> => import("@modelcontextprotocol/client");

/** For options of the SDK, whose types do not allow `undefined`. */
export const withoutUndefined = <Options extends object>(
  options: Options,
): { [Name in keyof Options]?: Exclude<Options[Name], undefined> } =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as never;

export interface Wire {
  readonly transport: Transport;
  readonly processId?: number | undefined;
  readonly report: () => ProcessReport;
  readonly close: () => Promise<void>;
}

export interface OpenStdioOptions {
  readonly server: string;
  readonly target: StdioTarget;
  /** The program to start instead of the target's command. */
  readonly launch?: Launch | undefined;
  /** It may be installing something, so it must not be killed. */
  readonly mayBeInstalling?: (() => boolean) | undefined;
  readonly environment: Environment;
  readonly maxAnswerBytes: number;
  /** Called if the server floods us with unsolicited messages. */
  readonly onFlood: () => void;
}

export const openStdio = async (options: OpenStdioOptions): Promise<Wire> => {
  const { server, launch, environment, maxAnswerBytes, onFlood, mayBeInstalling } = options;
  const target = launch?.target ?? options.target;
  const { command, args, cwd } = target;
  const attempt = `Cannot start "${server}"`;
  if (cwd !== undefined && !(await stat(cwd).catch(() => undefined))?.isDirectory()) {
    throw new CoordinatorError("UPSTREAM_UNREACHABLE", `${attempt}: its folder "${cwd}" does not exist`, {
      hint: 'Create the folder, or correct "cwd" in the server\'s definition.',
    });
  }
  const inherited = launch?.env ?? toChildEnvironment(environment, target.env);
  const path = await findCommand({ command, searchPath: searchPathOf(inherited), environment });
  if (path === undefined) {
    const { state, hint, reason } = diagnoseMissing(command);
    throw new CoordinatorError("UPSTREAM_UNREACHABLE", `${attempt}: ${state}`, { hint, details: { reason } });
  }
  // `npx` needs to find `node` next to itself, and `uvx` needs `uv`.
  const env = withSearchPath(withFirstPaths(inherited, launch?.firstPaths ?? []), [
    ...(path === command ? [] : [dirname(path)]),
    ...(launch?.lastPaths ?? []),
    dirname(process.execPath),
  ]);
  const serverProcess = startProcess({ command: path, args, env, cwd, mayBeInstalling });
  const transport = new StdioTransport(serverProcess, maxAnswerBytes, onFlood);
  const { child } = serverProcess;
  return {
    transport,
    processId: child.pid,
    report: () => ({
      // A negative code means that there was no process.
      exitCode: child.exitCode === null || child.exitCode < 0 ? undefined : child.exitCode,
      signal: child.signalCode ?? undefined,
      stderr: serverProcess.readStderr(),
      stdout: transport.readNoise(),
    }),
    close: serverProcess.end,
  };
};

export interface OpenHttpOptions {
  readonly sdk: Sdk;
  readonly wire: "http" | "sse";
  readonly target: HttpTarget;
  readonly maxAnswerBytes: number;
  /** Called if the shared stream carries an answer that is too large. */
  readonly onTooLarge: () => void;
  readonly onFlood: () => void;
  /** For a server that may require a sign-in. */
  readonly tokens?: TokenSource | undefined;
}

/** Timeout for ending a server's session. */
const maxEndSessionMs = 500;

export const openHttp = ({
  sdk,
  wire,
  target,
  maxAnswerBytes,
  onTooLarge,
  onFlood,
  tokens,
}: OpenHttpOptions): Wire => {
  const url = new URL(target.url);
  const fetch = createGuardedFetch({ maxAnswerBytes, onTooLarge, onFlood, readSecrets: tokens?.readSecrets });
  const settings = {
    requestInit: { headers: { ...target.headers } },
    fetch: tokens?.watch(fetch) ?? fetch,
    // More rights are a person's decision.
    ...(tokens === undefined ? {} : { authProvider: tokens.provider, onInsufficientScope: "throw" as const }),
  };
  if (wire === "sse") {
    const transport = new sdk.SSEClientTransport(url, settings);
    return { transport, report: () => ({}), close: () => transport.close() };
  }
  const transport = new sdk.StreamableHTTPClientTransport(url, settings);
  const close = async (): Promise<void> => {
    if (transport.sessionId !== undefined) await settleWithin(transport.terminateSession(), maxEndSessionMs);
    await transport.close();
  };
  return { transport, report: () => ({}), close };
};
