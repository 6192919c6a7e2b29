// Sends one request of a client to its server. The server's questions, and a sign-in if it needs one, go to the person at the client.
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { askSignIn } from "../../bridge/index.js";
import {
  type ForwardedMessage,
  type JsonObject,
  ServerRefusal,
  type Tool,
  type ToolResult,
  toCoordinatorError,
} from "../../contracts/index.js";
import type { UpstreamLink } from "../../upstream/index.js";
import type { Host } from "../host/host.js";
import { isSignedIn, lookEveryMs } from "../runs/sign-in-waits.js";
import { login } from "../servers/sign-in.js";
import { openSignInPages } from "../servers/sign-in-pages.js";
import {
  answerInput,
  type DirectRequest,
  isInputRequired,
  type OpenDirectRequest,
  toProtocol,
  toRefusal,
  withLogLevel,
  withoutUnwantedLines,
} from "./direct-request.js";
import { forwardHidden } from "./hide-direct.js";
import type { AskClient } from "./pending-requests.js";

/** A request in progress. Messages that its server sends in the meantime belong to it. */
interface Active {
  readonly server: string;
  readonly ask: AskClient | undefined;
  readonly notify: (message: ForwardedMessage) => void;
}

export interface Sender {
  readonly send: (tool: Tool, request: DirectRequest, ask: AskClient | undefined) => Promise<ToolResult>;
  /** The latest request to a server that is still in progress. */
  readonly findActive: (server: string) => Active | undefined;
  /** The level of log lines for servers of the 2026 protocol, which learn it with every request. */
  readonly setLogLevel: (level: string) => void;
  readonly close: () => void;
}

const maxRounds = 100;
const maxSignInMs = 10 * 60 * 1000;

export const openSender = (
  host: Host,
  { protocol, identity, isCaller = false }: OpenDirectRequest,
  forward: UpstreamLink["forward"],
): Sender => {
  const active = new Set<Active>();
  let logLevel: string | undefined;
  // The browser returns to this machine, and the account becomes the host's: only for the client that started us.
  const pages = isCaller ? undefined : openSignInPages((request) => login(host, request));
  const canShowAddress = (): boolean =>
    ((identity.capabilities.elicitation ?? {}) as JsonObject).url !== undefined;

  /** Lets the person sign in on a page that the client shows. False if that is not possible, or the person did not. */
  const signIn = async (
    thrown: unknown,
    since: number,
    { ask, signal }: { readonly ask: AskClient | undefined; readonly signal: AbortSignal },
  ): Promise<boolean> => {
    const question = askSignIn(toCoordinatorError(thrown), since);
    if (question?.server === undefined || ask === undefined || !canShowAddress()) return false;
    const url = await pages?.open(question.server);
    if (url === undefined) return false;
    const { text: message } = question;
    const id = protocol === "legacy" ? { elicitationId: randomUUID() } : {};
    const params = { mode: "url", message, url, ...id };
    const { action } = await ask({ method: "elicitation/create", params });
    if (action !== "accept") return false;
    const until = performance.now() + maxSignInMs;
    while (!(await isSignedIn(host, question))) {
      if (signal.aborted || performance.now() > until) return false;
      await sleep(lookEveryMs);
    }
    await host.upstreams.forgetFailures(question.server);
    return true;
  };

  const forwardSignedIn = async (
    tool: Tool,
    request: Parameters<typeof forward>[0] & { readonly signal: AbortSignal },
    ask: AskClient | undefined,
  ): Promise<ToolResult> => {
    for (;;) {
      const since = Date.now();
      try {
        return await forwardHidden(host, tool, request, forward);
      } catch (thrown) {
        if (!(await signIn(thrown, since, { ask, signal: request.signal }))) throw thrown;
      }
    }
  };

  return {
    findActive: (server) => [...active].findLast((one) => one.server === server),
    setLogLevel: (level) => {
      logLevel = level;
    },
    close: () => pages?.close(),
    send: async (tool, { method, params: given, signal, ...request }, ask) => {
      const { server } = tool;
      const notify = protocol === "legacy" ? request.notify : withoutUnwantedLines(request.notify, given);
      const one: Active = { server, ask, notify };
      active.add(one);
      try {
        let params = logLevel === undefined ? given : withLogLevel(given, logLevel);
        for (let round = 0; ; round++) {
          const sent = { server, method, params, signal, onNotification: notify };
          const result = await forwardSignedIn(tool, sent, ask);
          if (protocol === "modern" || !isInputRequired(result)) return toProtocol(protocol, method, result);
          if (ask === undefined || round >= maxRounds)
            throw new ServerRefusal(-32_603, "The server asks for input that the client cannot give");
          params = { ...params, ...(await answerInput(identity, result, ask)) };
        }
      } catch (thrown) {
        throw toRefusal(thrown, method);
      } finally {
        active.delete(one);
      }
    },
  };
};
