// Makes one tool call on an open connection and returns the server's result.
import type { Client, RequestOptions } from "@modelcontextprotocol/client";
import {
  type CallAsker,
  CoordinatorError,
  type Fields,
  type InputRequired,
  isFields,
  type JsonObject,
  type ListedTool,
  listingLimits,
  maxTimerMs,
  type OfferedMethod,
  type OpenInput,
  type ServerRequest,
  type ToolProgress,
  type ToolResult,
  toBlocks,
  unmarkLargeIntegers,
} from "../contracts/index.js";
import { toParameterHeaders } from "../schema/index.js";
import type { Connection } from "./open-connection.js";
import { maxInput, measureValue } from "./transport/incoming-limits.js";
import {
  type AnyResult,
  anyResult,
  maxResultDepth,
  takeLarge,
  tooDeep,
} from "./transport/replaced-answers.js";
import { protocolCode } from "./upstream-errors.js";

export interface CallToolOptions {
  readonly server: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly method?: OfferedMethod | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  /** The tool as listed, if known. */
  readonly findListed: () => ListedTool | undefined;
  readonly onProgress?: ((progress: ToolProgress) => void) | undefined;
  /** Continues a call whose server wanted input. */
  readonly input?: OpenInput | undefined;
  readonly asker?: CallAsker | undefined;
}

/** Some tools need arguments repeated as HTTP headers (`x-mcp-header`). */
export const findParameterHeaders = (
  { wire, version }: Connection,
  findListed: () => ListedTool | undefined,
  given: JsonObject,
): Readonly<Record<string, string>> | undefined => {
  const listed = wire === "http" && version.kind === "modern" ? findListed() : undefined;
  return listed === undefined ? undefined : toParameterHeaders(listed.inputSchema, given);
};

const maxRequests = 16;

/** What an unfinished answer asks for. Throws UPSTREAM_FAILED if it is no valid request for input. */
const toInput = (result: AnyResult, attempt: string): InputRequired => {
  const { inputRequests = {}, requestState: state } = result;
  const wrong = (why: string): CoordinatorError =>
    new CoordinatorError("UPSTREAM_FAILED", `${attempt}: the server asks for input, but ${why}`, {
      hint: "Report it to the server's author.",
    });
  if (!isFields(inputRequests) || (state !== undefined && typeof state !== "string"))
    throw wrong("not in the form of the protocol");
  const requests = Object.entries(inputRequests);
  if (requests.length > maxRequests || "tooMuch" in measureValue([inputRequests, state ?? ""], maxInput))
    throw wrong("for too much at once");
  const isSound = ([, request]: [string, unknown]): boolean =>
    isFields(request) && typeof request.method === "string";
  if (!requests.every(isSound)) throw wrong("not in the form of the protocol");
  return {
    requests: Object.fromEntries(
      (requests as [string, ServerRequest][]).map(([key, { method, params }]) => [
        key,
        { method, params: isFields(params) ? params : {} },
      ]),
    ),
    state,
  };
};

/** In the 2025 protocol, a call that needs a visit to an address first fails with this. It has done nothing. */
const addressRequired = -32_042;

/** The addresses to visit before the same call is made again. Throws what is not such an error. */
const readAddresses = (error: unknown, attempt: string): ToolResult => {
  const { data } = (error ?? {}) as { readonly data?: unknown };
  const listed = isFields(data) && Array.isArray(data.elicitations) ? data.elicitations : [];
  if (protocolCode(error) !== addressRequired || listed.length === 0) throw error;
  const requests = listed.map(
    (params, at) => [String(at), { method: "elicitation/create", params }] as const,
  );
  const input = toInput({ inputRequests: Object.fromEntries(requests) }, attempt);
  return { input: { ...input, isPlainRetry: true } };
};

const isDeeper = (value: unknown, levels: number): boolean => {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  for (const inner of Array.isArray(value) ? value : Object.values(value))
    if (isDeeper(inner, levels - 1)) return true;
  return false;
};

const toToolResult = (result: AnyResult): ToolResult => {
  const blocks = toBlocks(result.content);
  // A server's own fields must not be taken for ours.
  if (blocks === result.content && !("large" in result) && !("input" in result)) return result as ToolResult;
  const { content: _, large: __, input: ___, ...rest } = result;
  return (blocks === undefined ? rest : { ...rest, content: blocks }) as ToolResult;
};

const maxMessageLength = 1000;

/** The progress in the server's own words; undefined if there is none. */
const toStep = ({ progress, total, message }: JsonObject) => {
  const isNumber = (value: unknown): value is number => Number.isFinite(value);
  if (!isNumber(progress)) return undefined;
  const known = isNumber(total) ? total : undefined;
  const counted = known === undefined ? String(progress) : `${progress} of ${known}`;
  const text = typeof message === "string" ? message : counted;
  return { progress, total: known, message: text.slice(0, maxMessageLength) };
};

export const callTool = (connection: Connection, options: CallToolOptions): Promise<ToolResult> => {
  const { server, tool, onProgress } = options;
  const make = (progressToken?: string): Promise<ToolResult> =>
    connection.askers.during(options, (signal) => sendCall(connection, options, signal, progressToken));
  // Requested only if needed: reporting progress costs the server work.
  if (onProgress === undefined) return make();
  const { token, end } = connection.router.watchProgress((params) => {
    const step = toStep(params);
    if (step !== undefined) onProgress({ server, tool, ...step });
  });
  return make(token).finally(end);
};

const sendCall = async (
  connection: Connection,
  options: CallToolOptions,
  signal: AbortSignal,
  progressToken?: string,
): Promise<ToolResult> => {
  const { server, tool, input } = options;
  const { client } = connection;
  const attempt = `Cannot call "${tool}" of "${server}"`;
  const wantsLogs = connection.version.kind === "modern" && connection.logs !== "off" && options.asker?.log;
  const logLevel = wantsLogs ? connection.logs : undefined;
  const hasMeta = logLevel !== undefined || progressToken !== undefined;
  const more: Fields = {
    inputResponses: input?.isPlainRetry === true ? undefined : input?.responses,
    requestState: input?.state,
    _meta: hasMeta ? { "io.modelcontextprotocol/logLevel": logLevel, progressToken } : undefined,
  };
  // The signal has the time limit.
  const request: RequestOptions = { timeout: maxTimerMs, allowInputRequired: true, signal };
  if (options.method !== undefined) {
    const { method, arguments: values } = options;
    const called = { method, tool, arguments: values, more, request, attempt };
    const answer = await callOffered(client, called);
    if ("unfinished" in answer) return { input: toInput(answer.unfinished, attempt) };
    return connection.wire === "stdio" ? answer.result : unmarkLargeIntegers(answer.result);
  }
  const params = { name: tool, arguments: options.arguments, ...more };
  const headers = findParameterHeaders(connection, options.findListed, options.arguments);
  let result: AnyResult;
  try {
    result = await client.request({ method: "tools/call", params }, anyResult, { ...request, headers });
  } catch (error) {
    return readAddresses(error, attempt);
  }
  const large = takeLarge(result);
  if (result.resultType === "input_required") return { input: toInput(result, attempt) };
  if (large !== undefined) return { ...(large.isError ? { isError: true } : {}), large };
  if (isDeeper(result, maxResultDepth))
    throw new CoordinatorError("RESULT_INVALID", `${attempt}: ${tooDeep}`);
  return toToolResult(connection.wire === "stdio" ? result : unmarkLargeIntegers(result));
};

const maxPages = 64;

/** The arguments of a program as the parameters of the protocol. Others are dropped: a program must not answer for a person, nor change the metadata. */
export const toOfferedParameters = (method: OfferedMethod, tool: string, given: JsonObject): JsonObject => {
  if (method === "prompts/get") return { name: tool.replace(/^prompts\./, ""), arguments: given };
  if (method !== "completion/complete") return given.uri === undefined ? {} : { uri: given.uri };
  const { prompt, template, argument, value, known } = given;
  return {
    ref:
      template === undefined
        ? { type: "ref/prompt", name: prompt ?? "" }
        : { type: "ref/resource", uri: template },
    argument: { name: argument ?? "", value: value ?? "" },
    ...(known === undefined ? {} : { context: { arguments: known } }),
  };
};

/** What a program gets: the list that it asked for, or the whole result. */
const keys: Partial<Record<OfferedMethod, string>> = {
  "resources/read": "contents",
  "resources/list": "resources",
  "resources/templates/list": "resourceTemplates",
  "completion/complete": "completion",
};

/** Fields of the protocol, which no program gets. */
const protocolFields = ["resultType", "ttlMs", "cacheScope"] as const;

const isObject = (value: unknown): value is JsonObject => typeof value === "object" && value !== null;

/** Whether the result has what was asked for, in the form that programs rely on. */
const isAnswered = (method: OfferedMethod, whole: AnyResult): boolean => {
  if (method === "prompts/get") return Array.isArray(whole.messages) && whole.messages.every(isObject);
  if (method === "completion/complete")
    return isObject(whole.completion) && Array.isArray(whole.completion.values);
  const list = whole[keys[method] ?? ""];
  return Array.isArray(list) && list.every(isObject);
};

/** The result that a program gets; undefined if the server left out what was asked for. */
export const toOfferedResult = (method: OfferedMethod, whole: AnyResult): ToolResult | undefined => {
  const key = keys[method];
  if (!isAnswered(method, whole)) return undefined;
  if (key !== undefined) return { structuredContent: whole[key] };
  const own = Object.entries(whole).filter(([name]) => !(protocolFields as readonly string[]).includes(name));
  return { structuredContent: Object.fromEntries(own) };
};

/** Puts the part that a program gets, possibly changed, back into the protocol's result. */
export const fromOfferedResult = (
  method: OfferedMethod,
  whole: AnyResult,
  { structuredContent }: ToolResult,
): AnyResult => {
  const key = keys[method];
  if (key !== undefined) return { ...whole, [key]: structuredContent };
  const rest = protocolFields.flatMap((name) => (name in whole ? [[name, whole[name]]] : []));
  return { ...Object.fromEntries(rest), ...(structuredContent as AnyResult) };
};

interface OfferedCall {
  readonly method: OfferedMethod;
  readonly tool: string;
  readonly arguments: JsonObject;
  /** Further parameters of the protocol: what the server wanted before, its state, metadata. */
  readonly more: Fields;
  readonly request: RequestOptions;
  readonly attempt: string;
}

const maxTtlMs = 3_600_000;

const readTtl = (ttlMs: unknown): number | undefined =>
  typeof ttlMs === "number" && ttlMs > 0 ? Math.min(ttlMs, maxTtlMs) : undefined;

/** Returns the protocol's result if the server wants input first. */
const callOffered = async (
  client: Client,
  { method, tool, arguments: given, more, request, attempt }: OfferedCall,
): Promise<{ readonly result: ToolResult } | { readonly unfinished: AnyResult }> => {
  const params = { ...toOfferedParameters(method, tool, given), ...more };
  const first = await client.request({ method, params }, anyResult, request);
  if (first.resultType === "input_required") return { unfinished: first };
  const key = keys[method];
  // `cacheScope` is ignored: an answer is cached for its own caller only.
  const ttlMs = readTtl(first.ttlMs);
  if (key === undefined || !method.endsWith("/list")) {
    const result = toOfferedResult(method, first);
    if (result !== undefined) return { result: { ...result, ttlMs } };
    const missing = key ?? "messages";
    throw new CoordinatorError("UPSTREAM_FAILED", `${attempt}: the answer has no valid "${missing}"`);
  }
  const items: unknown[] = [];
  let page = first;
  for (let count = 1; ; count++) {
    if (Array.isArray(page[key])) items.push(...page[key].slice(0, listingLimits.items - items.length));
    const { nextCursor: cursor } = page;
    const isOver = typeof cursor !== "string" || cursor === "" || count >= maxPages;
    if (isOver || items.length >= listingLimits.items) return { result: { structuredContent: items, ttlMs } };
    page = await client.request({ method, params: { cursor } }, anyResult, request);
  }
};
