// Lists and reads what servers offer beside their tools, under names that contain the server. Each is read by a call, with the rules of every call.
import {
  CoordinatorError,
  type Json,
  type JsonObject,
  type Listing,
  type OfferedMethod,
  type PeopleAnswer,
  type RunQuestion,
  toVisibleText,
} from "../../contracts/index.js";
import type { Host } from "../host/host.js";
import { openPrivacy } from "../policies/open-privacy.js";
import { callTool } from "../servers/call-tool.js";
import type { LibraryResource, ResourceTemplate } from "./library-addresses.js";
import type { PromptSummary } from "./list-prompts.js";

export interface OfferedRequest {
  /** A resource of a server, as `listResources` names it. */
  readonly resource?: string | undefined;
  /** A prompt of a server, as `listPrompts` names it. */
  readonly prompt?: string | undefined;
  /** The prompt's arguments. */
  readonly arguments?: Readonly<Record<string, string>> | undefined;
  /** Complete this argument of the prompt or resource template instead. */
  readonly complete?:
    | { readonly argument: string; readonly value: string; readonly known?: JsonObject | undefined }
    | undefined;
  /** Asks a person, if the settings require approval or the server asks. */
  readonly onQuestion?: ((question: RunQuestion) => Promise<PeopleAnswer | undefined>) | undefined;
  /** The authenticated caller, for rules on callers. */
  readonly caller?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

const scheme = "server://";
const separator = "__";

/** `server://github/` and the server's own address, unchanged. */
const toOfferedAddress = (server: string, uri: string): string =>
  `${scheme}${encodeURIComponent(server)}/${uri}`;

/** A server's resource, prompt or template under our name. */
interface OfferedName {
  readonly server: string;
  /** Its own name or address. */
  readonly name: string;
}

/** Undefined if the address is not one of a server. */
const parseOfferedAddress = (uri: string): OfferedName | undefined => {
  const [, server, name] = /^server:\/\/([^/]+)\/(.+)$/s.exec(uri) ?? [];
  if (server === undefined || name === undefined) return undefined;
  try {
    return { server: decodeURIComponent(server), name };
  } catch {
    return undefined;
  }
};

/** Undefined if no configured server has a prompt of that name. */
const parseOfferedPrompt = (
  { configuration }: Pick<Host, "configuration">,
  name: string,
): OfferedName | undefined => {
  const [longest] = configuration.servers
    .filter((server) => name.startsWith(`${server.name}${separator}`))
    .sort((one, other) => other.name.length - one.name.length);
  return longest && { server: longest.name, name: name.slice(longest.name.length + separator.length) };
};

/** The listings that are known, without starting a server. */
const readKnown = async ({ configuration, upstreams }: Host): Promise<readonly Listing[]> => {
  const enabled = configuration.servers.filter(({ isEnabled }) => isEnabled);
  const found = await Promise.all(enabled.map(({ name }) => upstreams.peek(name).catch(() => undefined)));
  return found.filter((listing) => listing !== undefined);
};

const maxText = 1000;
const toText = (text: string): string => toVisibleText(text.slice(0, maxText));

/** With tokens for the personal values in it. */
const readHidden = async (host: Host): Promise<readonly Listing[]> => {
  const privacy = openPrivacy(host, host.requester);
  const known = await readKnown(host);
  if (privacy === undefined) return known;
  return Promise.all(
    known.map(async (listing) => {
      const tool = { server: listing.server, name: "*", isReadOnly: true, isDestructive: false };
      const { resources, resourceTemplates, prompts } = listing;
      const hidden = await privacy.hideJson(tool, { resources, resourceTemplates, prompts });
      // Prompts are called by their names.
      const named = hidden.prompts.map((prompt, at) => ({
        ...prompt,
        name: prompts[at]?.name ?? prompt.name,
      }));
      return { ...listing, ...hidden, prompts: named };
    }),
  );
};

export const listOfferedResources = async (host: Host): Promise<readonly LibraryResource[]> =>
  (await readHidden(host)).flatMap(({ server, resources }) =>
    resources.map(({ uri, name, description, mimeType }) => ({
      uri: toOfferedAddress(server, uri),
      name: toText(`${server}/${name}`),
      description: toText(description ?? `A resource of the server "${server}"`),
      mimeType: mimeType ?? "text/plain",
    })),
  );

export const listOfferedTemplates = async (host: Host): Promise<readonly ResourceTemplate[]> =>
  (await readHidden(host)).flatMap(({ server, resourceTemplates }) =>
    resourceTemplates.map(({ uriTemplate, name, description }) => ({
      uriTemplate: toOfferedAddress(server, uriTemplate),
      name: toText(`${server}/${name}`),
      description: toText(description ?? `Resources of the server "${server}"`),
      mimeType: "text/plain",
    })),
  );

export const listOfferedPrompts = async (host: Host): Promise<readonly PromptSummary[]> =>
  (await readHidden(host)).flatMap(({ server, prompts }) =>
    prompts.map(({ name, description = "", arguments: given = [] }) => ({
      name: `${server}${separator}${name}`,
      title: toText(`${server}: ${name}`),
      description: toText(description),
      arguments: given.map((one) => ({
        name: one.name,
        description: toText(one.description ?? ""),
        required: one.required === true,
      })),
    })),
  );

/** Undefined if it is not something that a server offers. */
export const readOffered = async (host: Host, request: OfferedRequest): Promise<Json | undefined> => {
  const { resource, prompt, complete, onQuestion, caller, signal } = request;
  const found =
    resource === undefined ? parseOfferedPrompt(host, prompt ?? "") : parseOfferedAddress(resource);
  if (found === undefined) return undefined;
  const call = (method: OfferedMethod, tool: string, given: JsonObject): Promise<Json> =>
    callTool(host, { server: found.server, method, tool, arguments: given, onQuestion, caller, signal });
  try {
    if (complete !== undefined)
      return await call("completion/complete", "complete", {
        [resource === undefined ? "prompt" : "template"]: found.name,
        argument: complete.argument,
        value: complete.value,
        ...(complete.known === undefined ? {} : { known: complete.known }),
      });
    if (resource === undefined)
      return await call("prompts/get", `prompts.${found.name}`, { ...request.arguments });
    return await call("resources/read", "resources.read", { uri: found.name });
  } catch (thrown) {
    throw toOwnCode(thrown, found, resource === undefined);
  }
};

/** A server without resources or prompts has no such tool. */
const toOwnCode = (thrown: unknown, { server, name }: OfferedName, isPrompt: boolean): unknown => {
  if (!(thrown instanceof CoordinatorError) || thrown.code !== "TOOL_UNKNOWN") return thrown;
  const [code, what] = isPrompt
    ? (["PROMPT_UNKNOWN", "prompt"] as const)
    : (["RESOURCE_UNKNOWN", "resource"] as const);
  return new CoordinatorError(
    code,
    `Cannot read the ${what} "${name.slice(0, 80)}": the server "${server}" has no ${what}s`,
  );
};
