// Translates results and questions between the protocol versions of client and server.
import {
  type ClientIdentity,
  type ForwardedMessage,
  type Json,
  type JsonObject,
  type PeopleAnswer,
  type RunQuestion,
  ServerRefusal,
  type ToolResult,
  toCoordinatorError,
  toVisibleText,
} from "../../contracts/index.js";
import type { AskClient } from "./held-requests.js";

export type ProtocolKind = "legacy" | "modern";

const isCacheable = (method: string): boolean => method === "resources/read" || method.endsWith("/list");

/** A result in the client's protocol version: required fields are added, the rest is unchanged. */
export const toProtocol = (protocol: ProtocolKind, method: string, result: ToolResult): ToolResult => {
  // A large result is passed on as bytes.
  if (result.large !== undefined) return result;
  const { resultType, ...rest } = result as ToolResult & { readonly resultType?: unknown };
  if (protocol === "legacy") return resultType === undefined ? result : rest;
  const isWhole = resultType !== undefined && !isCacheable(method);
  if (isWhole) return result;
  return {
    resultType: "complete",
    ...(isCacheable(method) ? { ttlMs: 0, cacheScope: "private" } : {}),
    ...result,
  } as ToolResult;
};

export const isInputRequired = (result: ToolResult): boolean =>
  (result as { readonly resultType?: unknown }).resultType === "input_required";

/** The capability that a client must declare for each question. */
const needed: Readonly<Record<string, string>> = {
  "elicitation/create": "elicitation",
  "sampling/createMessage": "sampling",
  "roots/list": "roots",
};

/** Throws a ServerRefusal if the client does not declare the capability for a question. */
export const checkCapability = ({ capabilities }: ClientIdentity, { method }: ForwardedMessage): void => {
  const name = Object.hasOwn(needed, method) ? needed[method] : undefined;
  if (name === undefined || capabilities[name] === undefined)
    throw new ServerRefusal(-32_601, `The client does not support "${method.slice(0, 100)}"`);
};

/** Asks a 2025 client the questions of a 2026 server. */
export const answerInput = async (
  identity: ClientIdentity,
  result: ToolResult,
  ask: AskClient,
): Promise<JsonObject> => {
  const { inputRequests, requestState } = result as unknown as JsonObject;
  const requests = Object.entries((inputRequests ?? {}) as Record<string, JsonObject>);
  const answers = await Promise.all(
    requests.map(async ([key, { method, params }]) => {
      const message = { method: String(method), params: params as JsonObject | undefined };
      checkCapability(identity, message);
      return [key, await ask(message)] as const;
    }),
  );
  return {
    ...(answers.length === 0 ? {} : { inputResponses: Object.fromEntries(answers) }),
    ...(requestState === undefined ? {} : { requestState }),
  };
};

const canShowForms = ({ capabilities }: ClientIdentity): boolean => {
  const elicitation = capabilities.elicitation as JsonObject | undefined;
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
};

/** Asks a person to approve a call, with a form of the client. Undefined if that is not possible, or the form was closed. */
export const askApproval = async (
  identity: ClientIdentity,
  { text, calls = [] }: RunQuestion,
  ask: AskClient | undefined,
): Promise<PeopleAnswer | undefined> => {
  if (ask === undefined || !canShowForms(identity)) return undefined;
  const shown = calls.map(({ server, tool, arguments: given }) =>
    toVisibleText(`${server}.${tool}(${JSON.stringify(given)})`),
  );
  const { action, content } = await ask({
    method: "elicitation/create",
    params: {
      mode: "form",
      message: [text, ...shown].join("\n"),
      requestedSchema: {
        type: "object",
        properties: { approve: { type: "boolean", title: "Approve this call" } },
        required: ["approve"],
      },
    },
  });
  if (action === "decline") return { answer: false };
  if (action !== "accept") return undefined;
  return { answer: ((content ?? {}) as Record<string, Json>).approve === true };
};

/** Our error as a result that the model reads. */
export const toToolError = (thrown: unknown, protocol: ProtocolKind): ToolResult => {
  const { code, message, hint } = toCoordinatorError(thrown);
  const text = `${code}: ${message}${hint === "" ? "" : `\n${hint}`}`;
  return toProtocol(protocol, "tools/call", { content: [{ type: "text", text }], isError: true });
};

export const invalidParams = (message: string, data?: unknown): ServerRefusal =>
  new ServerRefusal(-32_602, message, data);

/** The error code for an unknown resource differs between the protocol versions. */
export const resourceNotFound = (uri: string, protocol: ProtocolKind): ServerRefusal =>
  new ServerRefusal(protocol === "legacy" ? -32_002 : -32_602, `Resource not found: ${uri.slice(0, 200)}`, {
    uri,
  });
