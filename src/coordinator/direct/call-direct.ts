// Makes each call of the direct surface, and each use of a resource, prompt or completion, as a run of one call, with the limits, approvals,
// hooks, journal and meter of every run.
import {
  CoordinatorError,
  type GuestAnswer,
  type GuestOutcome,
  type Journal,
  type JsonObject,
  type OfferedMethod,
  type PeopleAnswer,
  type RunQuestion,
  type RunRequest,
  type RunResult,
  readJson,
  ServerRefusal,
  type Tool,
  type ToolResult,
  toCoordinatorError,
  toFields,
  withinTime,
} from "../../contracts/index.js";
import { fromOfferedResult, toOfferedParameters, toOfferedResult } from "../../upstream/index.js";
import type { Host } from "../host/host.js";
import { toApprovalHint } from "../presenting/render-run-texts.js";
import { openNewJournal } from "../runs/new-journal.js";
import { prepareResume } from "../runs/resume-run.js";
import { runCode } from "../runs/run-code.js";
import { type DirectRequest, isInputRequired } from "./direct-request.js";

export interface DirectCall {
  readonly tool: Tool;
  /** A second tool whose rules apply as well: `resources.read` for a subscription. */
  readonly alsoRuled?: Tool | undefined;
  /** Only the client itself can make the call, so it cannot be resumed later. @default false */
  readonly isClientOnly?: boolean | undefined;
  readonly arguments: JsonObject;
  readonly signal: AbortSignal;
  /** The call comes over HTTP. */
  readonly isCaller: boolean;
  readonly caller: string | undefined;
  readonly send: (given: JsonObject, signal: AbortSignal | undefined) => Promise<ToolResult>;
  /** Asks a person through the client; undefined if the client cannot, or the person did not answer. */
  readonly approve: (question: RunQuestion) => Promise<PeopleAnswer | undefined>;
}

/** A program that makes the same call, so that people can resume a paused run. */
const toProgram = (
  { tool: { server, name }, arguments: given, isClientOnly }: DirectCall,
  maxBytes: number,
): string => {
  if (isClientOnly === true) return 'throw new Error("Only the client itself can make this call")';
  const code = `return await servers[${JSON.stringify(server)}][${JSON.stringify(name)}].raw(${JSON.stringify(given)})`;
  return code.length < maxBytes / 4
    ? code
    : 'throw new Error("The arguments are too large to call it again")';
};

/** The result as JSON text. Throws a ServerRefusal for the server's own error, and a CoordinatorError for ours. */
export const callDirect = async (host: Host, call: DirectCall): Promise<string> => {
  const { tool, isCaller, caller, signal } = call;
  const { codeBytes } = host.configuration.settings.limits;
  let request: RunRequest = { code: toProgram(call, codeBytes), isCaller, caller, signal };
  let journal = openNewJournal(host, request);
  for (;;) {
    const { result, answer, refusal } = await runOnce(host, call, { request, journal });
    const { runId, question } = result;
    if (question === undefined) {
      if (refusal !== undefined) throw refusal;
      if (answer?.status === "answered") return answer.body;
      throw toError(answer, result);
    }
    const given =
      (await call.approve(question)) ?? (call.isClientOnly === true ? { answer: false } : undefined);
    if (given === undefined) throw needsApproval(tool, question);
    const { attempt, hash } = question;
    const resumed = { runId, attempt, questionHash: hash, answeredBy: "client", signal, ...given } as const;
    ({ request, journal } = await prepareResume(host, resumed));
  }
};

interface Made {
  readonly result: RunResult;
  readonly answer?: GuestAnswer | undefined;
  /** The server answered with an error. */
  readonly refusal?: ServerRefusal | undefined;
}

const runOnce = async (
  host: Host,
  { tool, alsoRuled, arguments: given, send }: DirectCall,
  { request, journal }: { readonly request: RunRequest; readonly journal: Journal },
): Promise<Made> => {
  let answer: GuestAnswer | undefined;
  let refusal: ServerRefusal | undefined;
  const result = await runCode(host, request, {
    openJournal: () => journal,
    direct: {
      tool,
      alsoRuled,
      send: (value, signal) => {
        // An earlier attempt may have been refused.
        refusal = undefined;
        return send(value, signal).catch((thrown: unknown) => {
          if (!(thrown instanceof ServerRefusal)) throw thrown;
          refusal = thrown;
          throw toRefusalError(tool, thrown);
        });
      },
      execute: async (callHost, signal) => {
        const made = callHost(
          { server: tool.server, tool: tool.name, argumentsJson: JSON.stringify([given]), isRaw: true },
          signal,
        );
        answer = await untilAborted(made, signal);
        return toOutcome(answer);
      },
      present: ({ calls, explain }, { runId, startedAt }) => {
        const durationMs = performance.now() - startedAt;
        const answerBytes = answer?.status === "answered" ? answer.body.length : 0;
        return explain({
          runId,
          status: answer === undefined ? "stopped" : answer.status === "answered" ? "completed" : "failed",
          stopReason: answer === undefined ? "cancelled" : undefined,
          logs: [],
          error: answer?.status === "failed" ? toRunError(answer) : undefined,
          calls,
          durationMs,
          statistics: {
            durationMs,
            answerBytes,
            outputBytes: answerBytes,
            toolsCalled: [`${tool.server}.${tool.name}`],
          },
        });
      },
    },
  });
  host.shapes.writeLater();
  return { result, answer, refusal };
};

/** Undefined if the signal aborts first: a paused run does not wait for its call. */
const untilAborted = (made: Promise<GuestAnswer>, signal: AbortSignal): Promise<GuestAnswer | undefined> =>
  withinTime(made, { signal }).catch((thrown: unknown) => {
    if (signal.aborted) return undefined;
    throw thrown;
  });

const toOutcome = (answer: GuestAnswer | undefined): GuestOutcome => {
  if (answer === undefined) return { status: "stopped", reason: "cancelled", logs: [] };
  if (answer.status === "answered") return { status: "completed", logs: [] };
  const { name, message, code } = answer;
  return { status: "failed", failure: { name, message, code }, logs: [] };
};

const toRunError = ({ code, message }: Extract<GuestAnswer, { status: "failed" }>): RunResult["error"] => {
  const { kind, hint } = toCoordinatorError(new CoordinatorError(code as "UPSTREAM_FAILED", message));
  return { code: code as "UPSTREAM_FAILED", kind, message, hint };
};

const toRefusalError = ({ server, name }: Tool, refused: ServerRefusal): CoordinatorError =>
  new CoordinatorError(
    "UPSTREAM_FAILED",
    `Cannot call "${name}" of "${server}": the server answered with an error, "${refused.message.slice(0, 1000)}"`,
    { cause: refused },
  );

const toError = (answer: GuestAnswer | undefined, { error }: RunResult): CoordinatorError => {
  if (error !== undefined && answer === undefined)
    return new CoordinatorError(error.code, error.message, { hint: error.hint });
  if (answer?.status === "failed")
    return new CoordinatorError(answer.code as "UPSTREAM_FAILED", answer.message, { hint: "" });
  return new CoordinatorError("RUN_CANCELLED", "Cannot call the tool: the request was cancelled");
};

/** A model reads this error, so it contains nothing that could approve the call. */
const needsApproval = ({ server, name }: Tool, { command = "" }: RunQuestion): CoordinatorError =>
  new CoordinatorError("CALL_DENIED", `Cannot call "${server}.${name}": a person must approve it first`, {
    hint: `${toApprovalHint(command)}\nThat also makes the call and shows its result: do not call it again.`,
  });

/** A read of a resource or prompt, or a completion, as the tool call that rules decide on. */
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
