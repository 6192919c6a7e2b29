// The endpoint of one caller: both protocol versions over one coordinator, with sessions that no other caller can reach.
import { createMcpHandler, isLegacyRequest } from "@modelcontextprotocol/server";
import type { Caller, HttpSettings } from "../../../contracts/index.js";
import type { Coordinator } from "../../../coordinator/index.js";
import { createServer, openWarmUp } from "../create-server.js";
import { attachDirect } from "../direct/attach-direct.js";
import { type DirectEndpoint, openDirectEndpoint } from "../direct/direct-endpoint.js";
import type { Offers } from "../direct/direct-sessions.js";
import { watchTools } from "../watch-tools.js";
import { openSessions, type Sessions } from "./open-sessions.js";

export interface CallerEndpoint extends Pick<Sessions, "handle" | "endIdle"> {
  /** Answers requests for servers, if they are offered. */
  readonly direct?: DirectEndpoint | undefined;
  readonly close: () => Promise<void>;
}

/** The coordinator as HTTP callers see it. */
const limitSurface = (
  coordinator: Coordinator,
  { mayAddServers }: HttpSettings,
  name: string,
): Coordinator => {
  const toCaller = asCaller(name);
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
    callTool: { value: toCaller(coordinator.callTool), enumerable: true },
    openDirect: { value: toCaller(coordinator.openDirect), enumerable: true },
    readOffered: { value: toCaller(coordinator.readOffered), enumerable: true },
    // A caller does not see the tools that its roles are denied.
    searchTools: { value: toCaller(coordinator.searchTools), enumerable: true },
    outlineCatalog: { value: toCaller(coordinator.outlineCatalog), enumerable: true },
    listResources: { value: toCaller(coordinator.listResources), enumerable: true },
    listResourceTemplates: { value: toCaller(coordinator.listResourceTemplates), enumerable: true },
    readResource: { value: toCaller(coordinator.readResource), enumerable: true },
    listPrompts: { value: toCaller(coordinator.listPrompts), enumerable: true },
    completeName: { value: toCaller(coordinator.completeName), enumerable: true },
  });
};

const asCaller =
  (caller: string) =>
  <Verb extends (request: never) => unknown>(verb: Verb) =>
  (request?: object): ReturnType<Verb> =>
    verb({ ...request, isCaller: true, caller } as never) as ReturnType<Verb>;

export const openCallerEndpoint = (
  whole: Coordinator,
  settings: HttpSettings,
  { id, name }: Caller,
  { offers, onActivity }: { readonly offers: Offers; readonly onActivity?: (line: string) => void },
): CallerEndpoint => {
  const caller = `http ${id}`;
  const coordinator = limitSurface(whole, settings, name);
  const { begin: onFirstAnswer, end: endWarmUp } = openWarmUp(coordinator);
  const modern = createMcpHandler(
    () => createServer({ coordinator, caller, offers, onFirstAnswer, tools, onActivity }),
    {
      legacy: "reject",
      maxSubscriptions: settings.sessions,
      maxRequestBodySize: settings.requestBytes,
    },
  );
  // Shared by all requests: each request's own server is gone before there is something to notify.
  const tools = watchTools(coordinator, () => modern.notify.toolsChanged());
  const directOptions = offers === "code" ? undefined : { coordinator, offers, onActivity };
  const direct = directOptions && openDirectEndpoint(directOptions, modern.notify);
  const sessions = openSessions({
    createServer: () => createServer({ coordinator, caller, offers, onFirstAnswer, onActivity }),
    onOpened:
      directOptions === undefined
        ? undefined
        : (transport, server) => {
            const { end } = attachDirect(transport, { ...directOptions, readServer: () => server });
            return () => void end();
          },
    maxSessions: settings.sessions,
    idleMs: settings.sessionIdleMs,
  });
  return {
    direct,
    handle: async (request, body) =>
      (await isLegacyRequest(request, body))
        ? sessions.handle(request, body)
        : {
            response: await modern.fetch(request, { parsedBody: body }),
            end: () => {},
          },
    endIdle: sessions.endIdle,
    close: async () => {
      endWarmUp();
      tools.end();
      await Promise.all([modern.close(), sessions.close(), direct?.close()]);
    },
  };
};
