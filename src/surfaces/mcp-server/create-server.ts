// Creates an MCP server for a coordinator: capabilities, handlers, notifications when its tools change, and the warm-up after its first response.

import { ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
import { type Coordinator, version } from "../../coordinator/index.js";
import {
  attachMedia,
  callSurfaceTool,
  RefusedCall,
  readTools,
  renderInstructions,
  type SurfaceCall,
  type SurfaceTool,
} from "./agent-tools/index.js";
import { openClientQuestions } from "./ask-client.js";
import { directCapabilities, type Offers } from "./direct/direct-sessions.js";
import { handleLibrary, libraryCapabilities } from "./library-handlers.js";

interface SurfaceOptions {
  readonly coordinator: Coordinator;
  /** Who is connected, so that one caller's answer is never taken for another's. */
  readonly caller: string;
  /** With the servers' own tools, their requests are answered before this server sees them. @default "code" */
  readonly offers?: Offers | undefined;
  /** Called after the first response, to start what it did not need. */
  readonly onFirstAnswer: () => void;
  /** The tools are watched elsewhere, for a short-lived connection. */
  readonly tools?: WatchedTools | undefined;
  /** Called with a line for every request of a client. */
  readonly onActivity?: ((line: string) => void) | undefined;
}

/** An MCP server for one connection of the direct surface: it only negotiates. */
const createDirectServer = (): Server =>
  new Server({ name: "mcp-coordinator", version }, { capabilities: directCapabilities });

/** An MCP server for one connection. */
export const createServer = (options: SurfaceOptions): Server => {
  const { coordinator, caller, offers = "code", onFirstAnswer, tools: watched, onActivity } = options;
  if (offers === "direct") return createDirectServer();
  const server: Server = new Server(
    { name: "mcp-coordinator", version },
    {
      capabilities: {
        tools: { listChanged: true },
        ...libraryCapabilities,
        ...(offers === "both" ? directCapabilities : {}),
      },
      instructions: renderInstructions(coordinator),
      // A program may ask as often as it makes calls, and people take their time.
      inputRequired: { maxRounds: 100 },
      requestState: { verify: (state, context) => questions.verify(state, context) },
    },
  );
  const questions = openClientQuestions(server, coordinator, caller);
  handleLibrary(server, coordinator);
  const tools = watched ?? watchTools(coordinator, () => void server.sendToolListChanged().catch(() => {}));
  server.onclose = () => {
    questions.close();
    if (watched === undefined) tools.end();
  };
  server.oninitialized = tools.begin;
  server.setRequestHandler("tools/list", async () => {
    const listed = await tools.read();
    onActivity?.(`tools/list: ${listed.length} tools`);
    setImmediate(onFirstAnswer);
    return { tools: listed as never };
  });
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const answered = questions.readAnswer(context);
    const { signal, notify } = context.mcpReq;
    const { onProgress, end } = toProgress(params._meta?.progressToken, notify);
    const startedAt = performance.now();
    const report = (outcome: string): void =>
      onActivity?.(`${params.name}: ${outcome} in ${Math.round(performance.now() - startedAt)} ms`);
    try {
      const result = await callSurfaceTool(coordinator, {
        name: params.name,
        arguments: params.arguments ?? {},
        signal,
        ask: questions.ask(context),
        canSample: questions.canSample(context),
        answered,
        onProgress,
        // Requests without a session have only their caller in common, who has one list of tools.
        client: watched ?? server,
      });
      report("isError" in result && result.isError === true ? "failed" : "answered");
      return attachMedia(result);
    } catch (thrown) {
      report("refused");
      if (!(thrown instanceof RefusedCall)) throw thrown;
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, thrown.message);
    } finally {
      end();
    }
  });
  return server;
};

/** Printed lines as progress notifications, if the client asked for them; none after the response. */
const toProgress = (
  progressToken: string | number | undefined,
  notify: (notification: { method: string; params: Record<string, unknown> }) => Promise<void>,
): Pick<SurfaceCall, "onProgress"> & { readonly end: () => void } => {
  if (progressToken === undefined) return { end: () => {} };
  let progress = 0;
  let isOver = false;
  return {
    onProgress: (message) => {
      if (isOver) return;
      const params = { progressToken, progress: ++progress, message };
      notify({ method: "notifications/progress", params }).catch(() => {});
    },
    end: () => {
      isOver = true;
    },
  };
};

/** If a program comes sooner and was never seen, it starts the compiler itself. Known programs need none. */
const compilerMs = 1000;

interface WarmUp {
  /** Further calls do nothing. */
  readonly begin: () => void;
  readonly end: () => void;
}

export const openWarmUp = (coordinator: Coordinator): WarmUp => {
  let timer: NodeJS.Timeout | undefined;
  return {
    begin: () => {
      if (timer !== undefined) return;
      coordinator.warm("run").catch(() => {});
      timer = setTimeout(() => coordinator.warm().catch(() => {}), compilerMs).unref();
    },
    end: () => clearTimeout(timer),
  };
};

export interface WatchedTools {
  /** Lists the servers that were never listed in the background. */
  readonly begin: () => void;
  readonly read: () => Promise<readonly SurfaceTool[]>;
  readonly end: () => void;
}

/** How long the first list waits for servers that were never listed. Most answer sooner. */
const firstListMs = 1500;

/** A search lists many servers at once: notify the client once for all. */
const quietMs = 300;

export const watchTools = (coordinator: Coordinator, onChanged: () => void): WatchedTools => {
  let shown: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  const readNow = () => readTools(coordinator, { waitMs: firstListMs });
  const read = async (): Promise<readonly SurfaceTool[]> => {
    const tools = await readNow();
    shown = JSON.stringify(tools);
    return tools;
  };
  const compare = async (): Promise<void> => {
    timer = undefined;
    // A client that has not listed tools yet is not notified.
    if (shown === undefined) return;
    const before = shown;
    await read();
    if (shown !== before) onChanged();
  };
  const endListening = coordinator.onToolsChanged(() => {
    clearTimeout(timer);
    timer = setTimeout(() => void compare().catch(() => {}), quietMs).unref();
  });
  return {
    begin: () => void readNow().catch(() => {}),
    read,
    end: () => {
      clearTimeout(timer);
      endListening();
    },
  };
};
