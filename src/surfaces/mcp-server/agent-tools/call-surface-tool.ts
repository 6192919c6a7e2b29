// One call of an agent tool: read its arguments, call one verb, render the answer.
import {
  type Json,
  type Language,
  type LogLine,
  type OutputMode,
  type RunQuestion,
  type RunRequest,
  type RunResult,
  type ToolProgress,
  toCoordinatorError,
} from "../../../contracts/index.js";
import type { Coordinator, ResumeRequest, SurfaceSettings } from "../../../coordinator/index.js";
import {
  answerResult,
  answerState,
  followRun,
  followSignIn,
  renderShown,
  type ShownResult,
  withoutAsking,
} from "./answer-run.js";
import {
  type Given,
  isGiven,
  RefusedCall,
  readBoolean,
  readChoice,
  readInteger,
  readObject,
  readOptionalString,
  readString,
  readStrings,
  refuseUnknown,
} from "./read-arguments.js";
import { renderAddedServer, renderOfferedServers, renderSearch } from "./render-search.js";
import { runPython } from "./run-python.js";

/** People's answer to a run; `isLeft`: they closed the form without an answer; `isSigningIn`: they visit the sign-in page. */
export type ClientAnswer = ResumeRequest & {
  readonly isLeft?: boolean | undefined;
  readonly isSigningIn?: boolean | undefined;
};

/** `Asked` is how a client asks people. */
export interface SurfaceCall<Asked = never> {
  readonly name: string;
  readonly arguments: Given;
  readonly signal: AbortSignal;
  /** Sends the client a progress line, if it wants them. */
  readonly onProgress?: ((line: string) => void) | undefined;
  /** Asks people instead of answering the call. Without it, or if it returns undefined, the model reads the question. */
  readonly ask?:
    | ((run: Pick<RunResult, "runId">, question: RunQuestion) => Promise<Asked | undefined> | undefined)
    | undefined;
  /** The client offers its model to servers. */
  readonly canSample?: boolean | undefined;
  /** People's answer to the question of an earlier call. */
  readonly answered?: ClientAnswer | undefined;
  /** Answers a run's questions while it waits. */
  readonly onQuestion?: RunRequest["onQuestion"] | undefined;
  /** The connection that calls: its searches answer in the language of its last program. @default the coordinator */
  readonly client?: object | undefined;
  /** The offered tools. @default the coordinator's */
  readonly surface?: SurfaceSettings | undefined;
}

type Handler = <Asked>(coordinator: Coordinator, call: SurfaceCall<Asked>) => Promise<ShownResult | Asked>;

const languages = ["typescript", "python"] as const;
const details = ["name", "summary", "full", "description"] as const;
const maxHits = 50;

const runArguments = [
  "code",
  "language",
  "session",
  "timeoutMs",
  "resume",
  "background",
  "plan",
  "choose",
  "answer",
];
const choices = ["fork", "repeat", "skip", "cancel", "commit"] as const;

/** A program, a run to resume, or both. Waits no longer than the client does. */
const runCode: Handler = async (coordinator, call) => {
  const { arguments: given, signal, answered } = call;
  refuseUnknown(given, runArguments);
  refuseMisplaced(given);
  const request = readRun(call, coordinator.surface.output);
  if ("code" in request && !("runId" in request))
    lastLanguages.set(call.client ?? coordinator, request.language ?? "typescript");
  const choice = answered === undefined ? readChoice(given, "choose", choices) : undefined;
  if ("runId" in request) {
    const { runId } = request;
    if (choice === "cancel") return answerState(await coordinator.cancelRun(request), call);
    if (choice === "commit")
      return answerResult(
        await coordinator.commitPlan({
          planId: runId,
          signal,
          conversation: call.client,
          output: coordinator.surface.output,
          agentLimits: request.agentLimits,
        }),
        call,
      );
    if (request.isSigningIn === true) return followSignIn(coordinator, call, request);
    if (request.isLeft === true)
      return answerState(
        await coordinator.runStatus({ runId, conversation: call.client }),
        withoutAsking(call),
      );
  }
  return followRun(coordinator, call, request);
};

/** Refuses arguments that would be ignored and could be a restriction: an ignored "plan" would make the calls. */
const refuseMisplaced = (given: Given): void => {
  readBoolean(given, "background");
  const isPlan = readBoolean(given, "plan") === true;
  const isResumed = isGiven(given.resume);
  if (isPlan && isResumed)
    throw new RefusedCall('Argument "plan" is given with "resume", expected one of them');
  for (const name of ["choose", "answer"])
    if (given[name] !== undefined && !isResumed)
      throw new RefusedCall(`Argument "${name}" is given without "resume", expected both`);
  if (given.choose !== "commit" && given.choose !== "cancel") return;
  const isCode = typeof given.code === "string" && given.code.trim() !== "";
  const unread = [
    isCode && "code",
    given.background === true && "background",
    isGiven(given.answer) && "answer",
  ];
  for (const name of unread.filter((one) => one !== false))
    throw new RefusedCall(`Argument "${name}" is given with choose "${given.choose}", expected one of them`);
};

const readRun = (
  { arguments: given, onProgress, onQuestion, canSample, answered, client }: SurfaceCall<unknown>,
  output: OutputMode,
): RunRequest | ClientAnswer => {
  const timeoutMs = readInteger(given, "timeoutMs");
  const session = readOptionalString(given, "session");
  const language = readChoice(given, "language", languages);
  const choice = readChoice(given, "choose", choices);
  const runId = readOptionalString(given, "resume");
  const code = runId === undefined ? readString(given, "code") : (readOptionalString(given, "code") ?? "");
  const shared = {
    agentLimits: timeoutMs === undefined ? undefined : { timeoutMs },
    output,
    onLog: onProgress && (({ text }: LogLine) => onProgress(text)),
    onProgress: onProgress && (({ message }: ToolProgress) => onProgress(message)),
    onQuestion,
    canSample,
    conversation: client,
  };
  if (answered !== undefined) return { ...shared, ...answered };
  if (runId === undefined)
    return {
      ...shared,
      code,
      language,
      session,
      isBackground: given.background === true || undefined,
      mode: given.plan === true ? "plan" : undefined,
    };
  return {
    ...shared,
    runId,
    code: code.trim() === "" ? undefined : code,
    answer: given.answer as Json | undefined,
    answeredBy: given.answer === undefined ? undefined : "agent",
    onDivergence: choice === "fork" ? "fork" : undefined,
    uncertain: choice === "repeat" || choice === "skip" ? choice : undefined,
  };
};

/** The language of each client's last program. */
const lastLanguages = new WeakMap<object, Language>();

const searchTools: Handler = async (coordinator, { arguments: given, client = coordinator }) => {
  refuseUnknown(given, ["query", "queries", "names", "server", "limit", "detail", "language"]);
  const limit = readInteger(given, "limit");
  const server = readOptionalString(given, "server");
  const language = readChoice(given, "language", languages) ?? lastLanguages.get(client);
  const detail = readChoice(given, "detail", details);
  const query = readStrings(given, "query", "queries");
  const names = readStrings(given, "names");
  // A missing argument is the client's mistake, as with every other tool.
  if (query.length === 0 && names.length === 0) readString(given, "query");
  const result = await coordinator.searchTools({
    query,
    names,
    limit: limit === undefined ? undefined : Math.min(Math.max(limit, 1), maxHits),
    server,
    language,
    detail,
  });
  const shown = renderSearch(result, language);
  // Counted after the answer; a failure to count is ignored.
  const asked = JSON.stringify({ name: "search_tools", arguments: given });
  setImmediate(() => void coordinator.noteSearch({ asked, shown }).catch(() => {}));
  return toText(shown);
};

const runCell: Handler = (coordinator, call) => {
  lastLanguages.set(call.client ?? coordinator, "python");
  return runPython(coordinator, call);
};

const callTool: Handler = async (coordinator, { arguments: given, signal, client }) => {
  refuseUnknown(given, ["server", "tool", "arguments"]);
  const value = readObject(given, "arguments");
  const warnings: string[] = [];
  const answer = await coordinator.callTool({
    server: readString(given, "server"),
    tool: readString(given, "tool"),
    arguments: value,
    conversation: client,
    signal,
    onWarning: (text) => warnings.push(text),
  });
  const shown = renderShown(await coordinator.showAnswer({ value: answer }));
  const added = warnings.map((text) => ({ type: "text" as const, text }));
  return { ...shown, content: [...shown.content, ...added] };
};

const findServers: Handler = async (coordinator, { arguments: given }) => {
  refuseUnknown(given, ["query"]);
  const query = readOptionalString(given, "query");
  return toText(renderOfferedServers(await coordinator.findServers({ query })));
};

const addServer: Handler = async (coordinator, { arguments: given }) => {
  refuseUnknown(given, ["name"]);
  return toText(renderAddedServer(await coordinator.addServer({ name: readString(given, "name") })));
};

const toText = (text: string): ShownResult => ({ content: [{ type: "text", text }] });

const listHandlers = ({
  hasCallTool,
  hasRunPython,
  hasAddServers,
}: SurfaceSettings): ReadonlyMap<string, Handler> =>
  new Map<string, Handler>([
    ["run_code", runCode],
    ["search_tools", searchTools],
    ...(hasCallTool ? [["call_tool", callTool] as const] : []),
    ...(hasRunPython ? [["run_python", runCell] as const] : []),
    ...(hasAddServers
      ? ([
          ["find_servers", findServers],
          ["add_server", addServer],
        ] as const)
      : []),
  ]);

/** A tool's failure is a result. Throws RefusedCall for the caller's mistakes. */
export const callSurfaceTool = async <Asked = never>(
  coordinator: Coordinator,
  call: SurfaceCall<Asked>,
): Promise<ShownResult | Asked> => {
  const handlers = listHandlers(call.surface ?? coordinator.surface);
  const handler = handlers.get(call.name);
  if (handler === undefined)
    throw new RefusedCall(
      `Unknown tool "${call.name}": there are ${[...handlers.keys()].map((known) => `"${known}"`).join(", ")}`,
    );
  try {
    return await handler(coordinator, call);
  } catch (thrown) {
    if (thrown instanceof RefusedCall) throw thrown;
    const { code, message, hint } = toCoordinatorError(thrown);
    return { isError: true, ...toText(`${code}: ${message}\n${hint}`) };
  }
};
