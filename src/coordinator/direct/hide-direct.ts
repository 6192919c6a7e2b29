// Applies tokens for personal data and guardrails on the direct surface: to answers, questions and notifications of servers.
import {
  CoordinatorError,
  type ForwardedMessage,
  type Json,
  type JsonObject,
  type NamedItem,
  type RuledTool,
  type ToolResult,
} from "../../contracts/index.js";
import type { UpstreamLink } from "../../upstream/index.js";
import { openAuditOf } from "../audit/open-audit.js";
import type { Host } from "../host/host.js";
import { guardOutput, listGuardrails, toErrorTexts } from "../policies/guard-texts.js";
import { redeemAnswer } from "../policies/hide-messages.js";
import { openPrivacy } from "../policies/open-privacy.js";
import type { DirectCatalog } from "./direct-catalog.js";

type LinkRequest = Parameters<UpstreamLink["forward"]>[0];
type Notify = (message: ForwardedMessage) => void;

/** The tool that rules see for messages of a server outside of its answers. */
const toMessageTool = (server: string): RuledTool => ({
  server,
  name: "*",
  isReadOnly: true,
  isDestructive: false,
});

type ListKey = "resources" | "resourceTemplates" | "prompts";

/** Lists with tokens, for one client. Names of prompts are not hidden: clients call them by name. */
export const openHiddenLists = (host: Host) => {
  /** Addresses with tokens → the servers' own addresses. */
  const addresses = new Map<string, string>();
  const owners: Record<ListKey, (known: DirectCatalog, item: JsonObject) => NamedItem | undefined> = {
    resources: (known, { uri }) => known.findResource(String(uri)),
    resourceTemplates: (known, { uriTemplate }) => known.findTemplate(String(uriTemplate)),
    prompts: (known, { name }) => known.findPrompt(String(name)),
  };
  return {
    /** The server's own address. */
    find: (address: string): string => addresses.get(address) ?? address,
    hide: async (known: DirectCatalog, key: ListKey): Promise<readonly JsonObject[]> => {
      const privacy = openPrivacy(host);
      if (privacy === undefined) return known[key];
      const byServer = Map.groupBy(known[key], (item) => owners[key](known, item)?.server ?? "");
      const hidden = await Promise.all(
        [...byServer].map(async ([server, items]) => {
          const listed = await privacy.hideJson(toMessageTool(server), items);
          return listed.map((item, at) => ({ item, written: items[at] ?? {} }));
        }),
      );
      return hidden.flat().map(({ item, written }) => {
        for (const name of ["uri", "uriTemplate"])
          if (item[name] !== written[name]) addresses.set(String(item[name]), String(written[name]));
        return key === "prompts" ? { ...item, name: written.name ?? "" } : item;
      });
    },
  };
};

/** An address with tokens. */
export const hideAddress = async (host: Host, { server, name }: NamedItem): Promise<string> =>
  (await openPrivacy(host)?.hideText(toMessageTool(server), name)) ?? name;

/** Passes a server's question to the client, with tokens, and returns the answer with values. */
export const askHidden = async (
  host: Host,
  server: string,
  given: ForwardedMessage,
  {
    ask,
    notify,
  }: { readonly ask: (message: ForwardedMessage) => Promise<JsonObject>; readonly notify: Notify },
): Promise<JsonObject> => {
  const privacy = openPrivacy(host);
  const tool = toMessageTool(server);
  const shown = (await privacy?.hideJson(tool, given)) ?? given;
  for (const warning of await guardShown(host, tool, "a question", shown)) notify(toWarning(warning));
  const answer = await ask(shown);
  const notes = { audit: openAudit(host, tool), onWarning: (text: string) => notify(toWarning(text)) };
  return privacy === undefined ? answer : redeemAnswer(privacy, tool, answer, notes);
};

const openAudit = (host: Host, { server, name }: RuledTool) =>
  openAuditOf(host, { approve: host.configuration.settings.approve })?.({
    server,
    tool: name,
    arguments: null,
  });

/** Applies guardrails to output. Throws if one blocks it; resolves to warnings. */
const guardShown = (
  host: Host,
  tool: RuledTool,
  what: string,
  value: unknown,
): Promise<readonly string[]> => {
  const { server, name } = tool;
  const audit = openAudit(host, tool);
  const named = `${what} of "${name === "*" ? server : `${server}.${name}`}"`;
  return guardOutput(host.configuration, { what: named, value: value as Json, audit });
};

const isGuarded = ({ configuration }: Host): boolean => listGuardrails(configuration, "output").length > 0;

const toWarning = (data: string): ForwardedMessage => ({
  method: "notifications/message",
  params: { level: "warning", logger: "mcp-coordinator", data },
});

/** Passes on notifications with tokens. Discards those that cannot be hidden or are blocked. `settle` resolves when all are passed on. */
export const openHiddenNotes = (host: Host, server: string, notify: Notify) => {
  let last: Promise<unknown> = Promise.resolve();
  return {
    settle: () => last,
    notify: (message: ForwardedMessage): void => {
      const privacy = openPrivacy(host);
      if (privacy === undefined && !isGuarded(host)) {
        notify(message);
        return;
      }
      const pass = async (): Promise<void> => {
        const hidden = (await privacy?.hideJson(toMessageTool(server), message)) ?? message;
        const warnings = await guardShown(host, toMessageTool(server), "a notification", hidden);
        for (const one of [hidden, ...warnings.map(toWarning)]) notify(one);
      };
      last = last.then(pass).catch(() => {});
    },
  };
};

/** Forwards one request: the server gets values, and the answer comes back with tokens, unless a guardrail blocks it. */
export const forwardHidden = async (
  host: Host,
  tool: RuledTool,
  { onNotification, ...request }: LinkRequest,
  forward: UpstreamLink["forward"],
): Promise<ToolResult> => {
  const privacy = openPrivacy(host);
  if (privacy === undefined && !isGuarded(host)) return forward({ ...request, onNotification });
  const { params } = request;
  const warn = (_rule: unknown, text: string): void => onNotification?.(toWarning(text));
  const notes = openHiddenNotes(host, tool.server, onNotification ?? (() => {}));
  const real = params && ((await privacy?.redeem(tool, params, undefined, warn)) ?? params);
  try {
    const answer = await forward({ ...request, params: real, onNotification: notes.notify });
    const hidden = (await privacy?.hideResult(tool, answer)) ?? answer;
    return addWarnings(
      hidden,
      await guardShown(host, tool, "the answer", isGuarded(host) ? await readShown(hidden) : ""),
    );
  } catch (thrown) {
    const hidden = (await privacy?.hideError(tool, thrown)) ?? thrown;
    if (!(hidden instanceof CoordinatorError && hidden.code === "GUARDRAIL_BLOCKED"))
      await guardShown(host, tool, "the error", toErrorTexts(hidden));
    throw hidden;
  } finally {
    await notes.settle();
  }
};

const readShown = async (result: ToolResult): Promise<unknown> => (await result.large?.readText()) ?? result;

/** Adds warnings to the content, because a model reads nothing else of a result. */
const addWarnings = (result: ToolResult, warnings: readonly string[]): ToolResult =>
  warnings.length === 0 || result.content === undefined
    ? result
    : { ...result, content: [...result.content, { type: "text", text: warnings.join("\n") }] };
