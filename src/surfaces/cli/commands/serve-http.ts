// `serve --http`: opens the port, prints the address and, once, the token; runs until it is stopped.
import { CoordinatorError } from "../../../contracts/index.js";
import { type Coordinator, firstCaller } from "../../../coordinator/index.js";
import {
  type HttpSurface,
  type ServedRequest,
  type ServeHttpOptions,
  serveHttpSurface,
} from "../../mcp-server/index.js";
import type { CommandContext } from "../command.js";
import { readText, usage } from "../read-words.js";
import { toOneLine, toPlainText } from "../render/plain-text.js";
import type { Screen } from "../screen.js";

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
const makeFirst = async (
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

export const serveHttp = async (
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
    const { token, known } = needsToken ? await makeFirst(coordinator) : { known: [] };
    printAddress(screen, surface, token);
    if (known.length > 0)
      screen.note(
        `Callers: ${known.join(", ")}. To replace a lost token: mcp-coordinator callers renew NAME`,
      );
    const warn = (text: string): void => screen.note(`${screen.styleNote("yellow", "warning")} ${text}`);
    if (isOpen) warn("No token is required: every program on this machine can use your servers");
    if (surface.isReachable)
      warn(
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
