// Makes one request for what a server offers beside its tools: resources, prompts, completion. The result is that of a tool.
import type { Client, RequestOptions } from "@modelcontextprotocol/client";
import {
  CoordinatorError,
  type JsonObject,
  listingLimits,
  type OfferedMethod,
  type ToolResult,
} from "../contracts/index.js";
import { type AnyResult, anyResult } from "./replaced-answers.js";

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

/** The protocol's result again, with what became of the program's part of it. */
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

export interface OfferedCall {
  readonly method: OfferedMethod;
  readonly tool: string;
  readonly arguments: JsonObject;
  /** Further parameters of the protocol: what the server wanted before, its state, metadata. */
  readonly more: JsonObject;
  readonly request: RequestOptions;
  readonly attempt: string;
}

const maxTtlMs = 3_600_000;

const readTtl = (ttlMs: unknown): number | undefined =>
  typeof ttlMs === "number" && ttlMs > 0 ? Math.min(ttlMs, maxTtlMs) : undefined;

/** Returns the protocol's result if the server wants input first. */
export const callOffered = async (
  client: Client,
  { method, tool, arguments: given, more, request, attempt }: OfferedCall,
): Promise<{ readonly result: ToolResult } | { readonly unfinished: AnyResult }> => {
  const params = { ...toOfferedParameters(method, tool, given), ...more };
  const first = await client.request({ method, params }, anyResult, request);
  if (first.resultType === "input_required") return { unfinished: first };
  const key = keys[method];
  // `cacheScope` is not believed: an answer is kept for its own caller only.
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
