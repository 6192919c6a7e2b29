// The endpoint of one caller: both protocol eras over one coordinator, with sessions that no other caller can reach.
import { createMcpHandler, isLegacyRequest } from "@modelcontextprotocol/server";
import type { Caller, HttpSettings } from "../../../contracts/index.js";
import type { Coordinator } from "../../../coordinator/index.js";
import { createServer, openWarmUp } from "../create-server.js";
import { watchTools } from "../watch-tools.js";
import { openSessions, type Sessions } from "./open-sessions.js";

export interface CallerEndpoint extends Pick<Sessions, "handle" | "endIdle"> {
  readonly close: () => Promise<void>;
}

/** The coordinator as HTTP callers see it. */
const limitSurface = (coordinator: Coordinator, { mayAddServers }: HttpSettings): Coordinator => {
  // Copied with its getters, because their values may change.
  return Object.defineProperties({} as Coordinator, {
    ...Object.getOwnPropertyDescriptors(coordinator),
    surface: {
      get: () => ({
        ...coordinator.surface,
        hasAddServers: coordinator.surface.hasAddServers && mayAddServers,
      }),
      enumerable: true,
    },
    // A caller's runs save nothing that others would run.
    startRun: { value: toCaller(coordinator.startRun), enumerable: true },
    runCode: { value: toCaller(coordinator.runCode), enumerable: true },
    resumeRun: { value: toCaller(coordinator.resumeRun), enumerable: true },
    runSkill: { value: toCaller(coordinator.runSkill), enumerable: true },
    commitPlan: { value: toCaller(coordinator.commitPlan), enumerable: true },
  });
};

const toCaller =
  <Request extends object, Result>(verb: (request: Request) => Result) =>
  (request: Request): Result =>
    verb({ ...request, isCaller: true });

export const openCallerEndpoint = (
  whole: Coordinator,
  settings: HttpSettings,
  { id }: Caller,
  onActivity?: (line: string) => void,
): CallerEndpoint => {
  const caller = `http ${id}`;
  const coordinator = limitSurface(whole, settings);
  const { begin: onFirstAnswer, end: endWarmUp } = openWarmUp(coordinator);
  const modern = createMcpHandler(
    () => createServer({ coordinator, caller, onFirstAnswer, tools, onActivity }),
    {
      legacy: "reject",
      maxSubscriptions: settings.sessions,
      maxRequestBodySize: settings.requestBytes,
    },
  );
  // Shared by all requests: each request's own server is gone before there is something to notify.
  const tools = watchTools(coordinator, () => modern.notify.toolsChanged());
  const sessions = openSessions({
    createServer: () => createServer({ coordinator, caller, onFirstAnswer, onActivity }),
    maxSessions: settings.sessions,
    idleMs: settings.sessionIdleMs,
  });
  return {
    handle: async (request, body) =>
      (await isLegacyRequest(request, body))
        ? sessions.handle(request, body)
        : {
            response: await modern.fetch(request, body === undefined ? {} : { parsedBody: body }),
            end: () => {},
          },
    endIdle: sessions.endIdle,
    close: async () => {
      endWarmUp();
      tools.end();
      await Promise.all([modern.close(), sessions.close()]);
    },
  };
};
