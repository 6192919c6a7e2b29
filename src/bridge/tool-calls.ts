// Calls of upstream tools: find the tool, read and validate the arguments, call the server.
import type { CallAsker, CallAudit, CallDecision, GuestCall } from "../contracts/index.js";
import {
  type CoordinatorError,
  type Json,
  type JsonObject,
  type Limits,
  largeBytes,
  type OpenInput,
  type Tool,
  type ToolResult,
  takeTurn,
  toCoordinatorError,
  toEffect,
} from "../contracts/index.js";
import type { ServerAnswers } from "./answer-servers.js";
import { checkAnswerSize, unwrapAnswer } from "./answers.js";
import { nameHandles, readCall } from "./arguments.js";
import type { Asking } from "./ask-people.js";
import { type DiscoveryOptions, listsModule, resolveDiscovery } from "./discovery.js";
import type { BridgeCall } from "./pipeline.js";
import type { ValueFunctions } from "./stored-values.js";

export interface ToolCallOptions {
  /** Finds a tool by what a program called it. Throws SERVER_UNKNOWN or TOOL_UNKNOWN with the nearest names. */
  readonly findTool: (server: string, tool: string) => Promise<Tool>;
  /** `contents`: the values that replaced handles. A tool that wants a string gets them as JSON text. */
  readonly bindArguments: (tool: Tool, values: readonly Json[], contents?: ReadonlySet<Json>) => JsonObject;
  readonly validateArguments: (tool: Tool, value: JsonObject) => void;
  /** The tool as its server lists it now, if arguments do not fit. Undefined: it has not changed. */
  readonly renewTool?: ((tool: Tool) => Promise<Tool | undefined>) | undefined;
  readonly callTool: (tool: Tool, value: JsonObject, options: CallToolOptions) => Promise<ToolResult>;
  /** Decides on a call; `isStored`: its answer is to be stored. Throws if the call is refused. @default "allowed" */
  readonly decide?:
    | ((decided: {
        readonly tool: Tool;
        readonly arguments: JsonObject;
        readonly call: GuestCall;
        readonly isStored: boolean;
      }) => CallDecision)
    | undefined;
}

type UpstreamOptions = ToolCallOptions & { readonly limits: Limits };

interface CallToolOptions extends AskedOptions {
  readonly decision: CallDecision;
  readonly signal: AbortSignal;
  /** Records every attempt. */
  readonly audit: CallAudit | undefined;
  /** The answer was known, and no server was called. */
  readonly onCached: () => void;
}

/** How a call deals with a server that asks back. */
export interface AskedOptions {
  /** What the server wanted in an earlier attempt. */
  readonly input?: OpenInput | undefined;
  /** Collects what a server wants before the same call is made again. */
  readonly onInput?: ((input: OpenInput, round: number) => Promise<OpenInput>) | undefined;
  readonly asker?: CallAsker | undefined;
  /** Waits for a person to sign in. Throws the error if nobody does. `input`: what the refused call was sent with. */
  readonly onSignIn?:
    | ((error: CoordinatorError, since: number, input: OpenInput | undefined) => Promise<void>)
    | undefined;
  /** The program wants to know how far the tool is. */
  readonly onProgress?: GuestCall["onProgress"];
}

/** Asked while a call waits. */
interface People extends Pick<Asking, "signIn" | "stepAside"> {
  readonly answers: ServerAnswers | undefined;
}

/** Retries the unchanged call: the server refused it before it did anything. */
const plainRetry: OpenInput = { requests: {}, responses: {}, isPlainRetry: true };

/** For programs, which may also list the tools of a server's module. */
export const resolveTool = (
  options: ToolCallOptions & DiscoveryOptions,
  stored: ValueFunctions,
  people: People,
) => {
  const listModule = resolveDiscovery(options);
  const resolve = resolveUpstream(options, people, stored);
  return async (call: BridgeCall): Promise<void> => {
    const { guest } = call;
    try {
      await resolve(call);
    } catch (thrown) {
      if (!listsModule(guest) || toCoordinatorError(thrown).code !== "TOOL_UNKNOWN") throw thrown;
      call.isRecorded = false;
      listModule(call, [guest.server]);
    }
  };
};

/** `stored`: replaces handles and stores answers, where programs can ask for that. */
export const resolveUpstream = (options: UpstreamOptions, people: People, stored?: ValueFunctions) => {
  /** Listing the tools of a new server may also require a sign-in. */
  const find = async (call: BridgeCall): Promise<Tool> => {
    const { server, tool } = call.guest;
    for (;;) {
      const since = Date.now();
      try {
        return await options.findTool(server, tool);
      } catch (thrown) {
        const error = toCoordinatorError(thrown);
        nameRefused(call, error);
        await people.signIn(error, { since });
      }
    }
  };
  return async (call: BridgeCall): Promise<void> =>
    resolveFound(options, stored, people, call, await find(call));
};

/** A program can write a name in many ways. What is refused is recorded under the names that the host knows. */
const nameRefused = (call: BridgeCall, { code, details }: CoordinatorError): void => {
  if (code !== "SERVER_NOT_ALLOWED" && code !== "TOOL_CHANGED") return;
  const { server, tool } = (details ?? {}) as { readonly server?: string; readonly tool?: string };
  if (server === undefined) return;
  call.server = server;
  call.refused = { tool };
};

const resolveFound = (
  options: UpstreamOptions,
  stored: ValueFunctions | undefined,
  { answers, signIn, stepAside }: People,
  call: BridgeCall,
  found: Tool,
): void => {
  const { limits } = options;
  const { guest, signal } = call;
  let tool = found;
  let value: JsonObject = {};
  let isStored = false;
  let isLarge = guest.argumentsJson.length > largeBytes;
  const name = `${tool.server}.${tool.name}`;
  call.server = tool.server;
  call.tool = tool.name;
  call.upstream = tool;

  const bind = (values: readonly Json[], contents: ReadonlySet<Json> | undefined): JsonObject => {
    const bound = options.bindArguments(tool, values, contents);
    options.validateArguments(tool, bound);
    return bound;
  };
  call.prepare = async () => {
    const read = await readCall(name, guest.argumentsJson, limits);
    const { values, mark } = read;
    isStored = read.isStored;
    const expanded = mark === undefined ? undefined : await stored?.expand(values, mark, name);
    call.release = expanded?.release;
    call.handles = expanded?.ids;
    call.isStored = isStored;
    // Each step of large arguments takes a turn of the event loop of its own.
    isLarge ||= mark !== undefined;
    if (isLarge) await takeTurn();
    const given = expanded?.values ?? values;
    try {
      value = bind(given, expanded?.contents);
    } catch (thrown) {
      const renewed = await options.renewTool?.(tool);
      if (renewed === undefined) throw thrown;
      tool = renewed;
      call.upstream = renewed;
      value = bind(given, expanded?.contents);
    }
    if (isLarge) await takeTurn();
    // The content of a handle may be large and is stored already.
    call.arguments = mark === undefined ? value : nameHandles(values, mark);
    call.effect = toEffect(tool);
    call.decision = options.decide?.({ tool, arguments: value, call: guest, isStored }) ?? "allowed";
    call.ruled = tool;
    call.shown = value;
  };
  const isWatch = tool.method === "resources/watch";
  if (isWatch) call.isThrottled = false;
  call.invoke = async () => {
    if (isLarge) await takeTurn();
    const result = await (isWatch ? stepAside(callTool) : callTool());
    call.result = result;
    const answer = await unwrapAnswer(result, guest.isRaw);
    return isStored && stored ? stored.storeAnswer(answer) : checkAnswerSize(name, answer, limits);
  };
  const callTool = (): Promise<ToolResult> =>
    options.callTool(tool, value, {
      decision: call.decision,
      signal,
      audit: call.audit,
      onCached: () => {
        call.isCached = true;
      },
      input: call.input,
      onInput:
        answers === undefined
          ? undefined
          : (input, round) => {
              call.leaveGate?.();
              return answers.collect(tool, input, {
                open: call.open,
                round,
                isRecorded: input === call.input,
              });
            },
      asker: answers?.toAsker(tool),
      onSignIn: async (error, since, input) => {
        call.leaveGate?.();
        await signIn(error, { since, hold: async () => call.open?.ask(input ?? plainRetry) });
      },
      onProgress: guest.onProgress,
    });
};
