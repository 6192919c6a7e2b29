// `ask`: lets the configured model solve a task through the tools that MCP clients see.
import { errorTable } from "../../../contracts/index.js";
import type { AskBudget, AskResult, AskStep } from "../../ask/index.js";
import {
  type Command,
  type CommandContext,
  type GivenOptions,
  pausedExitCode,
  toExitCode,
} from "../command.js";
import { askPerson } from "../prompt/ask-person.js";
import { readCount, readText, usage } from "../read-words.js";
import { noteError } from "../render/error.js";
import { cut, plural, toOneLine } from "../render/plain-text.js";
import type { Screen } from "../screen.js";

/** `50000` is tokens; `$0.50` and `0.50usd` are dollars. */
const readBudget = (options: GivenOptions): AskBudget => {
  const text = readText(options, "budget");
  if (text === undefined) return {};
  const [, dollars] = /^\$?(\d{1,9}(?:\.\d{1,9})?)(?:usd)?$/i.exec(text) ?? [];
  if (dollars !== undefined && !/^\d+$/.test(text)) {
    if (Number(dollars) > 0 && /^\$|usd$/i.test(text)) return { dollars: Number(dollars) };
    throw usage('read "--budget"', `it is "${text}", expected tokens as 50000 or dollars as 0.50usd`, "ask");
  }
  return { tokens: readCount(options, "budget", "ask") };
};

const describeCall = (tool: string, given: Readonly<Record<string, unknown>>): string => {
  if (typeof given.code === "string" && given.code.trim() !== "") {
    const lines = given.code.trim().split("\n").length;
    return `${tool}: ${lines === 1 ? given.code.trim() : `${lines} lines`}`;
  }
  const query = [given.query, given.queries].flat().filter((one) => typeof one === "string");
  return `${tool}: ${query.length > 0 ? query.join("; ") : JSON.stringify(given)}`;
};

const noteStep =
  (screen: Screen) =>
  (step: AskStep): void => {
    const note = (text: string): void =>
      screen.noteWhole(screen.styleNote("dim", cut(toOneLine(text), screen.columns)));
    if (step.kind === "call") note(describeCall(step.tool, step.arguments));
    else if (step.kind === "result" && step.isError) note(`${step.tool} failed; the model reads why`);
    else if (step.kind === "text") note(step.text);
    else if (step.kind === "retry") note(`${step.reason}; again in ${Math.ceil(step.waitMs / 1000)} s`);
    if (!screen.isVerbose) return;
    if (step.kind === "turn")
      note(`turn ${step.turn}: read ${step.usage.inputTokens}, wrote ${step.usage.outputTokens} tokens`);
    if (step.kind === "call" && typeof step.arguments.code === "string")
      for (const line of step.arguments.code.split("\n")) note(`  ${line}`);
  };

const show = (count: number): string => count.toLocaleString("en-US");

const renderSummary = ({ turns, calls, usage: spent, isEstimated, cost }: AskResult): string =>
  [
    plural(turns, "turn"),
    ...Object.entries(calls).map(([tool, count]) => `${toOneLine(tool)} ${count}×`),
    `read ${show(spent.inputTokens)} and wrote ${show(spent.outputTokens)} tokens${isEstimated ? " (counted here)" : ""}`,
    ...(cost === undefined ? [] : [`$${cost.toFixed(4)}`]),
  ].join(", ");

const toDocument = (result: AskResult) => ({
  status: result.status,
  answer: result.answer,
  stopReason: result.stopReason ?? null,
  error: result.error ?? null,
  model: result.model,
  turns: result.turns,
  calls: result.calls,
  isCut: result.isCut,
  usage: result.usage,
  isEstimated: result.isEstimated,
  cost: result.cost ?? null,
  waiting: result.waiting,
});

const askModel = async ({ screen, open, words, options, signal }: CommandContext): Promise<number> => {
  const task = words.join(" ").trim();
  if (task === "") throw usage("ask", "there is no task, expected some words", "ask");
  const budget = readBudget(options);
  const model = readText(options, "model");
  const maxTurns = readCount(options, "turns", "ask");
  const coordinator = await open({ origin: "agent" });
  const { ask } = await import("../../ask/index.js");
  const asking = ask(coordinator, {
    task,
    budget,
    model,
    maxTurns,
    signal,
    ...askPerson(screen, coordinator, undefined),
    onStep: screen.isJson ? undefined : noteStep(screen),
  });
  const result = await screen.during("waiting for the model", asking);
  if (screen.isJson) screen.document(toDocument(result));
  else {
    if (result.answer !== "") screen.print(screen.plain(result.answer));
    if (result.isCut) screen.warn("The answer was cut at its maximum length");
    screen.note(screen.styleNote("dim", renderSummary(result)));
    for (const runId of result.waiting)
      screen.noteWhole(`A run waits for an answer: ${coordinator.toCommand(["resume", runId])}`);
    if (result.error !== undefined && !signal.aborted) noteError(screen, result.error);
  }
  if (result.waiting.length > 0) return pausedExitCode;
  return result.error === undefined
    ? 0
    : toExitCode({ ...result.error, kind: errorTable[result.error.code].kind });
};

export const ask: Command = {
  name: "ask",
  usage: ["ask TASK"],
  description:
    'The model sees the same tools as an MCP client: it searches functions, writes programs and runs them in the sandbox, within your limits and rules. You are asked at the terminal about calls that need approval; the model cannot approve them. Prints the answer to stdout, progress and costs to stderr. Set the model with the settings under "model" or with MCP_COORDINATOR_PROVIDER, MCP_COORDINATOR_MODEL and MCP_COORDINATOR_API_KEY.',
  examples: [
    ['mcp-coordinator ask "Which open issues mention Safari?"', "The answer, and what it cost"],
    ["mcp-coordinator ask list my files --budget 50000", "Stop before 50,000 tokens"],
    [
      "mcp-coordinator ask list my files --budget 0.10usd --json",
      "Stop before 10 cents; print one JSON document",
    ],
  ],
  options: {
    model: { type: "string", value: "NAME", summary: "Use this model instead of the configured one" },
    budget: {
      type: "string",
      value: "AMOUNT",
      summary: "Tokens (50000), or dollars (0.50usd) if prices are set (default: model.budgetTokens)",
    },
    turns: { type: "string", value: "N", summary: "Maximum number of turns (default 50)" },
  },
  run: askModel,
};
