// Uses of resources, prompts and completion on the direct surface. Each is a call of a run, with the same name and arguments as in programs,
// so that rules, approvals, limits, hooks, the journal and the meter apply to it.
import {
  type JsonObject,
  type OfferedMethod,
  readJson,
  type Tool,
  type ToolResult,
  toFields,
} from "../../contracts/index.js";
import { fromOfferedResult, toOfferedParameters, toOfferedResult } from "../../upstream/index.js";
import type { Host } from "../host/host.js";
import { callDirect, type DirectCall } from "./call-direct.js";
import type { DirectRequest } from "./direct-request.js";
import { isInputRequired } from "./translate-protocols.js";

/** A use of what a server offers, as rules see it. */
export interface OfferedUse {
  readonly method: OfferedMethod;
  readonly tool: string;
  readonly arguments: JsonObject;
}

export const toResourceUse = (uri: string): OfferedUse => ({
  method: "resources/read",
  tool: "resources.read",
  arguments: { uri },
});

export const toPromptUse = (name: string, { params }: DirectRequest): OfferedUse => ({
  method: "prompts/get",
  tool: `prompts.${name}`,
  arguments: toFields(params?.arguments),
});

export const toCompletionUse = (isPrompt: boolean, name: string, { params }: DirectRequest): OfferedUse => {
  const { name: argument = "", value = "" } = toFields(params?.argument);
  const known = toFields(params?.context).arguments;
  return {
    method: "completion/complete",
    tool: "complete",
    arguments: {
      [isPrompt ? "prompt" : "template"]: name,
      argument,
      value,
      ...(known === undefined ? {} : { known }),
    },
  };
};

/** The client's parameters, with those of the call replaced. Other fields, such as `_meta` and titles, are unchanged. */
const mergeParams = (given: JsonObject, ours: JsonObject): JsonObject => {
  const { arguments: values, ...others } = ours;
  const isLeftOut = given.arguments === undefined && Object.keys(toFields(values)).length === 0;
  const merged = Object.entries(others).map(([name, value]) =>
    typeof value === "object" ? [name, { ...toFields(given[name]), ...toFields(value) }] : [name, value],
  );
  return { ...given, ...Object.fromEntries(merged), ...(isLeftOut ? {} : { arguments: values }) };
};

export interface OfferedCall extends Omit<DirectCall, "tool" | "arguments" | "send"> {
  readonly tool: Tool;
  readonly use: OfferedUse;
  readonly params: JsonObject;
  readonly send: (params: JsonObject, signal: AbortSignal | undefined) => Promise<ToolResult>;
}

/** The result of the protocol as JSON text. */
export const useOffered = async (
  host: Host,
  { use, params, send, ...call }: OfferedCall,
): Promise<string> => {
  const { method, tool, arguments: given } = use;
  let whole: ToolResult = {};
  let isUnchanged = false;
  const text = await callDirect(host, {
    ...call,
    arguments: given,
    send: async (value, signal) => {
      whole = await send(mergeParams(params, toOfferedParameters(method, tool, value)), signal);
      const isOther = isInputRequired(whole) || whole.large !== undefined;
      const shown = isOther ? undefined : toOfferedResult(method, { ...whole });
      isUnchanged = shown === undefined;
      return shown ?? whole;
    },
  });
  if (isUnchanged) return text;
  return JSON.stringify(fromOfferedResult(method, { ...whole }, (await readJson(text)) as ToolResult));
};
