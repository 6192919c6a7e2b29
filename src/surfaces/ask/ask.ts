// A model solves a task within a budget: it reads the tools and the task, calls tools, and ends with an answer.
import {
  CoordinatorError,
  type ModelAnswer,
  type ModelCall,
  type ModelCallResult,
  type ModelMessage,
  type ModelUsage,
} from "../../contracts/index.js";
import type { Coordinator } from "../../coordinator/index.js";
import { listCallableTools, renderInstructions } from "../mcp-server/agent-tools/index.js";
import type { AskBudget, AskRequest, AskResult, AskTool } from "./open-coordinator.js";

interface BudgetMeter {
  /** Tokens that the next answer may have; undefined if the budget does not cover reading the next request. */
  readonly allow: (requestTokens: number) => number | undefined;
  readonly add: (usage: ModelUsage) => void;
  readonly read: () => { readonly usage: ModelUsage; readonly cost: number | undefined };
}

/** A shorter answer is of no use. */
const minAnswerTokens = 64;

const openBudgetMeter = (
  { maxAnswerTokens, budgetTokens, inputPrice, outputPrice }: Coordinator["model"],
  { tokens = budgetTokens, dollars }: AskBudget,
): BudgetMeter => {
  let inputTokens = 0;
  let outputTokens = 0;
  const toDollars = (read: number, written: number): number | undefined =>
    inputPrice === undefined || outputPrice === undefined
      ? undefined
      : (read * inputPrice + written * outputPrice) / 1e6;
  const inMoney = (requestTokens: number): number => {
    const spent = toDollars(inputTokens + requestTokens, outputTokens);
    if (dollars === undefined || spent === undefined || outputPrice === undefined)
      return Number.POSITIVE_INFINITY;
    return spent >= dollars ? 0 : Math.floor(((dollars - spent) * 1e6) / outputPrice);
  };
  return {
    allow: (requestTokens) => {
      const left = tokens - inputTokens - outputTokens - requestTokens;
      const allowed = Math.min(maxAnswerTokens, left, inMoney(requestTokens));
      return allowed < Math.min(minAnswerTokens, maxAnswerTokens) ? undefined : allowed;
    },
    add: (usage) => {
      inputTokens += usage.inputTokens;
      outputTokens += usage.outputTokens;
    },
    read: () => ({ usage: { inputTokens, outputTokens }, cost: toDollars(inputTokens, outputTokens) }),
  };
};

const defaultTurns = 50;
/** Calls that are made of one answer. */
const maxCalls = 20;
/** How long servers whose tools are not known may take to list them. */
const listingMs = 5000;

/** Lets the configured model solve a task. Throws if the model cannot be used; a task that it does not solve is a result. */
export const ask = async (coordinator: Coordinator, request: AskRequest): Promise<AskResult> => {
  const name = checkRequest(coordinator, request);
  const { task, budget = {}, maxTurns = defaultTurns, onStep, signal } = request;
  const { model } = coordinator;
  const waiting = new Set<string>();
  const tools = request.tools ?? (await listOwnTools(coordinator, request, waiting));
  const instructions = request.instructions ?? toInstructions(coordinator);
  const messages: ModelMessage[] = [{ role: "user", text: task }];
  const meter = openBudgetMeter(model, budget);
  const calls = new Map(tools.map((tool) => [tool.name, 0]));
  const isCancelled = (): boolean => signal?.aborted === true;
  let requestTokens = await coordinator.countTokens(toCounted(instructions, tools, task));
  let isEstimated = false;
  let isCut = false;
  let turns = 0;
  let text = "";
  const end = async (
    stopReason?: AskResult["stopReason"],
    failure?: CoordinatorError,
  ): Promise<AskResult> => ({
    status: stopReason === undefined ? "answered" : "stopped",
    answer: text,
    stopReason,
    error: toError(failure ?? toLimitError(stopReason, turns)),
    model: name,
    turns,
    calls: Object.fromEntries([...calls].filter(([, count]) => count > 0)),
    isCut,
    ...meter.read(),
    isEstimated,
    waiting: await listWaiting(coordinator, waiting),
  });
  for (;;) {
    if (isCancelled()) return end("cancelled");
    if (turns >= maxTurns) return end("turns");
    const maxTokens = meter.allow(requestTokens);
    if (maxTokens === undefined) return end("budget");
    const onRetry = (retry: { reason: string; waitMs: number }) => onStep?.({ kind: "retry", ...retry });
    let answer: ModelAnswer;
    try {
      answer = await coordinator.askModel({
        messages,
        instructions,
        tools,
        model: name,
        maxTokens,
        signal,
        onRetry,
      });
    } catch (thrown) {
      if (isCancelled()) return end("cancelled");
      // What was done and spent so far must not get lost.
      if (turns > 0 && thrown instanceof CoordinatorError) return end("endpoint", thrown);
      throw thrown;
    }
    turns++;
    const usage = answer.usage ?? (await countUsage(coordinator, requestTokens, answer));
    isEstimated ||= answer.usage === undefined;
    meter.add(usage);
    onStep?.({ kind: "turn", turn: turns, usage });
    text = answer.text.trim();
    isCut = answer.isCut;
    if (answer.calls.length === 0)
      return end(isCut && maxTokens < model.maxAnswerTokens ? "budget" : undefined);
    if (text !== "") onStep?.({ kind: "text", text });
    messages.push({ role: "model", text: answer.text, calls: answer.calls });
    const results: ModelCallResult[] = [];
    for (const [at, call] of answer.calls.entries()) {
      if (isCancelled()) return end("cancelled");
      const count = calls.get(call.name);
      if (count !== undefined) calls.set(call.name, count + 1);
      results.push(at < maxCalls ? await makeCall(tools, call, request) : refuse(call, tooMany));
    }
    messages.push({ role: "tools", results });
    requestTokens = usage.inputTokens + usage.outputTokens + (await countResults(coordinator, results));
  }
};

/** Returns the model's name. */
const checkRequest = ({ model }: Coordinator, request: AskRequest): string => {
  // Callers without types pass anything.
  const { task, budget, maxTurns, model: name = model.model } = (request ?? {}) as Partial<AskRequest>;
  if (typeof task !== "string" || task.trim() === "")
    throw new CoordinatorError("USAGE", "Cannot ask: there is no task, expected some words");
  for (const [what, count] of Object.entries({ ...budget, maxTurns }))
    if (count !== undefined && !(typeof count === "number" && count > 0))
      throw new CoordinatorError("USAGE", `Cannot ask: "${what}" is ${count}, expected a number above 0`);
  if (name === undefined)
    throw new CoordinatorError("MODEL_NOT_CONFIGURED", "Cannot ask a model: none is configured");
  if (budget?.dollars !== undefined && (model.inputPrice === undefined || model.outputPrice === undefined))
    throw new CoordinatorError("USAGE", "Cannot keep a budget in dollars: the model's prices are not set", {
      hint: "Set model.inputPrice and model.outputPrice, or give a budget in tokens.",
    });
  return name;
};

const listOwnTools = async (
  coordinator: Coordinator,
  { onQuestion }: AskRequest,
  waiting: Set<string>,
): Promise<readonly AskTool[]> => {
  // Their signatures are then in the descriptions.
  await coordinator.listTools({ waitMs: listingMs }).catch(() => []);
  return listCallableTools(coordinator, {
    onQuestion: async (question, runId) => {
      const answer = await onQuestion?.(question, runId);
      if (answer === undefined) waiting.add(runId);
      return answer;
    },
  });
};

const toInstructions = (coordinator: Coordinator): string =>
  `${renderInstructions(coordinator)}\nSolve the user's task with the tools. When it is done, answer in plain text with the result only. If it cannot be done, say why.`;

const toCounted = (instructions: string, tools: readonly AskTool[], task: string): string =>
  [
    instructions,
    JSON.stringify(tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))),
    task,
  ].join("\n");

const countUsage = async (
  { countTokens }: Coordinator,
  inputTokens: number,
  { text, calls }: ModelAnswer,
): Promise<ModelUsage> => ({
  inputTokens,
  outputTokens: await countTokens(text + (calls.length === 0 ? "" : JSON.stringify(calls))),
});

const countResults = ({ countTokens }: Coordinator, results: readonly ModelCallResult[]): Promise<number> =>
  countTokens(
    results
      .flatMap(({ content }) => content.map((part) => (part.type === "text" ? part.text : "")))
      .join("\n"),
  );

const refuse = ({ id }: ModelCall, text: string): ModelCallResult => ({
  callId: id,
  content: [{ type: "text", text }],
  isError: true,
});

const tooMany = `Not called: at most ${maxCalls} calls at once.`;

const makeCall = async (
  tools: readonly AskTool[],
  call: ModelCall,
  { onStep, signal }: AskRequest,
): Promise<ModelCallResult> => {
  const tool = tools.find(({ name }) => name === call.name);
  if (tool === undefined)
    return refuse(call, `There is no tool "${call.name}": use ${tools.map(({ name }) => name).join(", ")}.`);
  if (call.arguments === undefined)
    return refuse(call, "The arguments are not a JSON object, or are nested too deeply.");
  onStep?.({ kind: "call", tool: call.name, arguments: call.arguments });
  const { content, isError = false } = await tool.call(call.arguments, signal);
  onStep?.({ kind: "result", tool: call.name, isError });
  return { callId: call.id, content, isError };
};

const listWaiting = async (
  { runStatus }: Coordinator,
  asked: ReadonlySet<string>,
): Promise<readonly string[]> => {
  const states = await Promise.all([...asked].map((runId) => runStatus({ runId }).catch(() => undefined)));
  return states.flatMap((state) => (state?.status === "paused" ? [state.runId] : []));
};

const stops = {
  budget: ["LIMIT_BUDGET", "at its budget"],
  turns: ["LIMIT_TURNS", "at the maximum number of turns"],
  cancelled: ["RUN_CANCELLED", "because it was cancelled"],
} as const;

const toLimitError = (stopReason: AskResult["stopReason"], turns: number): CoordinatorError | undefined => {
  if (stopReason === undefined || stopReason === "endpoint") return undefined;
  const [code, state] = stops[stopReason];
  return new CoordinatorError(code, `The model was stopped ${state}, after ${turns} turns`);
};

const toError = (error: CoordinatorError | undefined): AskResult["error"] =>
  error === undefined ? undefined : { code: error.code, message: error.message, hint: error.hint };
