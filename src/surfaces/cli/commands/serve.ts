// `serve`: runs the coordinator as an MCP server, over stdio until the client disconnects or over HTTP until it is stopped.
import { CoordinatorError } from "../../../contracts/index.js";
import {
  type Coordinator,
  firstCaller,
  renderOwnCommand,
  withOwnCommand,
} from "../../../coordinator/index.js";
import type { HttpSurface, ServedRequest, ServeHttpOptions } from "../../mcp-server/index.js";
import type { Command, CommandContext } from "../command.js";
import { readChoice, readText, usage } from "../read-words.js";
import { toOneLine, toPlainText } from "../render/plain-text.js";
import type { Screen } from "../screen.js";

const httpOptions = ["host", "token-env"];

const surfaces = ["code", "direct", "both"] as const;

export const serve: Command = {
  name: "serve",
  usage: [
    "serve [--surface SURFACE] [--workspace WORKSPACE]",
    "serve --http PORT [--host HOST] [--token-env VARIABLE]",
    "serve --calls",
  ],
  description:
    "Over stdio, stdout carries only the protocol, and serve ends when the client closes stdin. With --http it listens on this machine only, unless --host is given, and requires a token from every caller. Each request is logged to stderr: time, caller, method, tool, status and duration, never its contents. The first start generates a token and shows it once (see callers). Changes to the configuration take effect while it runs. Tools are listed in the background, a few servers at a time; everything else starts on first use.",
  examples: [
    ["mcp-coordinator serve --config ~/mcp.json", "The command for a client's configuration"],
    ["mcp-coordinator serve --http 8808", "The same over HTTP, at http://127.0.0.1:8808/mcp"],
    ["mcp-coordinator serve --surface direct", "All tools of all servers as one MCP server"],
  ],
  options: {
    workspace: {
      type: "string",
      value: "WORKSPACE",
      summary: "The workspace whose files and memory programs see",
    },
    surface: {
      type: "string",
      value: "SURFACE",
      choices: surfaces,
      summary: "code (tools for programs, the default), direct (the servers' own tools) or both",
    },
    http: { type: "string", value: "PORT", summary: "Listen on this port; 0 picks a free one" },
    host: { type: "string", value: "HOST", summary: "Listen on this address (default 127.0.0.1)" },
    "token-env": {
      type: "string",
      value: "VARIABLE",
      summary: "The environment variable with your own token",
    },
    "require-trust": {
      type: "boolean",
      summary: "Start only trusted servers, even from a file given with --config",
    },
    calls: { type: "boolean", summary: "Serve the generated library: one JSON line per call on stdin" },
    "no-token": { type: "boolean", summary: "Require no token; works only on this machine" },
  },
  run: async (context) => {
    const { open, options, screen, signal } = context;
    const onNote = (text: string): void => screen.note(toPlainText(text));
    const trustsEdits = !options.facts.has("require-trust");
    const workspace = readText(options, "workspace");
    // Undefined leaves it to the setting `serves`.
    const offers = readChoice(options, "surface", surfaces, "serve");
    const needless = ["http", "surface"].find((name) => readText(options, name) !== undefined);
    if (options.facts.has("calls") && needless !== undefined)
      throw usage(
        "serve",
        `"--calls" and "--${needless}" are both given, expected one of them`,
        "serve",
        "Leave out --calls to serve MCP clients. With it, only a generated library is served, over stdin.",
      );
    const openOptions = {
      origin: "agent",
      settings: workspace === undefined ? undefined : { workspace },
    } as const;
    if (readText(options, "http") !== undefined) {
      const coordinator = await open(openOptions);
      await coordinator.stayCurrent({ onNote, trustsEdits });
      return serveHttp(context, coordinator, offers);
    }
    const stray = httpOptions.find((name) => readText(options, name) !== undefined);
    if (stray !== undefined || options.facts.has("no-token"))
      throw usage(
        "serve",
        `"--${stray ?? "no-token"}" is given without "--http PORT"`,
        "serve",
        'Add "--http PORT", or leave it out: over stdio there is no port.',
      );
    if (options.facts.has("calls")) {
      const [{ serveCalls }, coordinator] = await Promise.all([
        import("./serve-calls.js"),
        open({ isUnattended: true, ...openOptions }),
      ]);
      await serveCalls(coordinator, { input: process.stdin, output: process.stdout, signal });
      return 0;
    }
    const [{ serveStdioSurface }, coordinator] = await Promise.all([
      import("../../mcp-server/index.js"),
      open({ isUnattended: true, ...openOptions }),
    ]);
    await coordinator.stayCurrent({ onNote, trustsEdits });
    const names = coordinator.serverNames.join(", ") || "none";
    if (process.stdin.isTTY === true) {
      onNote("Waiting for an MCP client on standard input. Ctrl-C ends it");
      onNote(
        withOwnCommand(
          'Clients start this command themselves: "mcp-coordinator connect" shows how. "mcp-coordinator serve --http 8808" serves over a port instead.',
        ),
      );
    } else if (screen.isVerbose) onNote(`Serving over stdio; servers: ${names}`);
    await serveStdioSurface(coordinator, {
      signal,
      offers,
      onActivity: screen.isVerbose ? onNote : undefined,
    });
    return 0;
  },
};

const readPort = (text: string): number => {
  if (/^\d{1,5}$/.test(text) && Number(text) < 65_536) return Number(text);
  throw usage('read "--http"', `it is "${text}", expected a port from 0 to 65535`, "serve");
};

const readToken = (variable: string): ServeHttpOptions["token"] => {
  const value = process.env[variable]?.trim() ?? "";
  if (value !== "") return { value, variable };
  throw new CoordinatorError("TOKEN_UNFIT", `Cannot use the token in "${variable}": the variable is not set`);
};

/** Prints the token of the first start: the only time that it is available. */
const createFirstCaller = async (
  coordinator: Coordinator,
): Promise<{ readonly token?: string | undefined; readonly known: readonly string[] }> => {
  const known = await coordinator.listCallers();
  if (known.length > 0) return { known: known.map(({ name }) => name) };
  return { token: (await coordinator.addCaller({ name: firstCaller })).token, known: [] };
};

const printAddress = (screen: Screen, { url }: HttpSurface, token: string | undefined): void => {
  if (screen.isJson) {
    screen.document({ url, token });
    return;
  }
  screen.print(`Listening on ${url}`);
  if (token === undefined) return;
  screen.print(`Token, shown only once: ${token}`);
  screen.print("Clients send it as a header: Authorization: Bearer TOKEN");
};

/** One line for a log: time, caller, method, tool, status, duration. */
const renderRequest = ({ caller = "-", method, tool, status, durationMs }: ServedRequest): string => {
  const time = new Date().toLocaleTimeString("sv");
  const what = tool === undefined ? method : `${method} ${tool}`;
  return toOneLine(`${time} ${caller} ${what} ${status} ${Math.round(durationMs)} ms`);
};

const serveHttp = async (
  context: CommandContext,
  coordinator: Coordinator,
  offers: ServeHttpOptions["offers"],
): Promise<number> => {
  const { open, options, screen, signal } = context;
  const port = readPort(readText(options, "http") ?? "");
  const host = readText(options, "host");
  const isOpen = options.facts.has("no-token");
  const variable = readText(options, "token-env") ?? coordinator.http.tokenVariable;
  if (isOpen && readText(options, "token-env") !== undefined)
    throw usage("serve", '"--no-token" and "--token-env" are both given, expected one of them', "serve");
  const given = isOpen || variable === undefined ? undefined : readToken(variable);
  const { serveHttpSurface } = await import("../../mcp-server/index.js");
  const surface = await serveHttpSurface({
    coordinator,
    openWorkspace: async (workspace) => {
      const other = await open({ origin: "agent", settings: { workspace }, isQuiet: true });
      await other.stayCurrent({ trustsEdits: !options.facts.has("require-trust") });
      return other;
    },
    port,
    host,
    offers,
    token: given,
    isOpen,
    onRequest: (request) => screen.note(screen.styleNote("dim", renderRequest(request))),
    onActivity: screen.isVerbose ? (line) => screen.note(toPlainText(line)) : undefined,
  });
  try {
    const needsToken = !isOpen && given === undefined;
    const { token, known } = needsToken ? await createFirstCaller(coordinator) : { known: [] };
    printAddress(screen, surface, token);
    if (known.length > 0)
      screen.note(
        `Callers: ${known.join(", ")}. To replace a lost token, run "${renderOwnCommand()} callers renew NAME"`,
      );
    if (isOpen) screen.warn("No token is required: every program on this machine can use your servers");
    if (surface.isReachable)
      screen.warn(
        "Other machines can reach this port, and traffic is not encrypted: put a TLS proxy in front of it",
      );
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
  } finally {
    await surface.close();
  }
  return 0;
};
