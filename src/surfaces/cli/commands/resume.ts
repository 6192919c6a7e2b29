// `resume`: resumes a run, with the same program or a corrected one.
import { timingSafeEqual } from "node:crypto";
import { CoordinatorError, type Json, parseJson } from "../../../contracts/index.js";
import type { ResumeRequest, WaitingQuestion } from "../../../coordinator/index.js";
import { type Command, type CommandContext, pausedExitCode } from "../command.js";
import { putQuestion } from "../prompt/ask-person.js";
import { inWorkspace, readCount, readProgram, readText, usage, workspaceOption } from "../read-words.js";
import { noteAnswering, renderQuestion } from "../render/run.js";
import type { Screen } from "../screen.js";
import { showRun, watchRun } from "./run.js";

type Answer = Pick<ResumeRequest, "answer" | "isDeclined" | "attempt" | "questionHash">;

/** The answer to the run's question. Undefined: the person left without an answer. */
const readAnswer = async (
  { screen, options }: CommandContext,
  { runId, waiting, mayAsk }: { runId: string; waiting: WaitingQuestion | undefined; mayAsk: boolean },
): Promise<Answer | undefined> => {
  const text = readText(options, "answer");
  const code = readText(options, "yes");
  const isNo = options.facts.has("no");
  if ([text !== undefined, code !== undefined, isNo].filter(Boolean).length > 1)
    throw usage("answer a run", 'more than one of "--answer", "--yes" and "--no" is given', "resume");
  const isGiven = text !== undefined || code !== undefined || isNo;
  if (waiting === undefined) {
    if (isGiven) throw invalid(runId, "it does not wait for an answer");
    return {};
  }
  const { question } = waiting;
  const shown = { attempt: question.attempt, questionHash: question.hash };
  if (isNo)
    return { ...shown, ...(question.schema.type === "boolean" ? { answer: false } : { isDeclined: true }) };
  if (question.kind === "approval" && isGiven) {
    if (code !== undefined && isSame(code, waiting.code)) return { ...shown, answer: true };
    throw refuseCode(screen, runId, waiting, code);
  }
  if (code !== undefined) return { ...shown, answer: true };
  if (text !== undefined) return { ...shown, answer: readJson(text, question.schema.type) };
  if (!mayAsk) return {};
  const given = await putQuestion(screen, question, waiting.code);
  if (given !== undefined) return { ...shown, ...given };
  noteAnswering(screen, question, waiting.code);
  return undefined;
};

/** JSON text is parsed as JSON, unless a text is expected. */
const readJson = (text: string, type: Json | undefined): Json => {
  if (type === "string") return text;
  try {
    return parseJson(text) as Json;
  } catch {
    return text;
  }
};

const isSame = (given: string, code: string): boolean => {
  const [one, other] = [Buffer.from(given.trim().toLowerCase()), Buffer.from(code)];
  return one.length === other.length && timingSafeEqual(one, other);
};

/** Shows what the run asks now: it may differ from what the person has read. */
const refuseCode = (
  screen: Screen,
  runId: string,
  waiting: WaitingQuestion,
  code: string | undefined,
): CoordinatorError => {
  screen.note(screen.styleNote("yellow", "The run asks"));
  for (const line of renderQuestion(waiting.question)) screen.note(line);
  noteAnswering(screen, waiting.question, screen.canAsk ? waiting.code : undefined);
  const state =
    code === undefined
      ? "approval needs --yes CODE or --no"
      : code === ""
        ? "--yes has no code, so it does not say which calls"
        : "the code does not belong to what the run asks now";
  return invalid(runId, state, "Read the calls above, then answer with the command below them.");
};

const invalid = (runId: string, state: string, hint?: string): CoordinatorError =>
  new CoordinatorError("ANSWER_INVALID", `Cannot answer the run "${runId}": ${state}`, {
    hint,
  });

export const resume: Command = {
  name: "resume",
  usage: ["resume RUN_ID", "resume RUN_ID FILE", "resume RUN_ID -e CODE"],
  description:
    "Calls that the run has already made, in the same order with the same arguments, are answered from its journal and not made again. If the program differs, it stops before doing anything new, unless --fork is given. A write whose answer was lost also stops it, unless --repeat or --skip says what to do. Calls that wait for approval are shown at a terminal with a code that approves exactly these calls; --yes accepts only that code.",
  examples: [
    ["mcp-coordinator resume 3f2a9c41d07b report.ts", "With the corrected file"],
    ["mcp-coordinator resume 3f2a9c41d07b", "Resume the same program"],
    [
      "mcp-coordinator resume 3f2a9c41d07b --yes 7f3a9c21",
      "Approve the calls that were shown with this code",
    ],
  ],
  options: {
    eval: { type: "string", short: "e", value: "CODE", summary: "The corrected program itself" },
    fork: { type: "boolean", summary: "Continue with new calls where the program differs" },
    repeat: { type: "boolean", summary: "Repeat writes whose answer was lost" },
    skip: { type: "boolean", summary: "Treat writes whose answer was lost as done; they return null" },
    answer: {
      type: "string",
      value: "TEXT",
      summary: "The answer to the run's question; JSON if it expects JSON",
    },
    yes: {
      type: "string",
      value: "CODE",
      isValueOptional: true,
      summary: "Approve the calls that were shown with CODE",
    },
    no: { type: "boolean", summary: "Deny the calls, or decline to answer the question" },
    "refresh-reads": { type: "boolean", summary: "Repeat reads instead of using the journal" },
    timeout: { type: "string", value: "MS", summary: "Stop it after this many milliseconds" },
    workspace: workspaceOption,
  },
  run: async (context) => {
    const { screen, open, words, options, signal } = context;
    const [runId, ...files] = words;
    if (runId === undefined)
      throw usage("resume a run", "its id is missing, expected RUN_ID of mcp-coordinator runs", "resume");
    const { facts } = options;
    if (facts.has("repeat") && facts.has("skip"))
      throw usage("resume a run", '"--repeat" and "--skip" are given, expected one of them', "resume");
    const isChanged = files.length > 0 || readText(options, "eval") !== undefined;
    const code = isChanged ? await readProgram(files, options, "resume") : undefined;
    const timeoutMs = readCount(options, "timeout", "resume");
    const workspace = readText(options, "workspace");
    const coordinator = await open();
    const where = { screen, coordinator, workspace };
    const waiting = await coordinator.readQuestion(inWorkspace({ runId }, workspace));
    // A changed program may ask something else; it is then asked when it gets there.
    const answer = await readAnswer(context, { runId, waiting, mayAsk: screen.canAsk && !isChanged });
    if (answer === undefined) return pausedExitCode;
    const running = coordinator.resumeRun({
      ...inWorkspace({ runId }, workspace),
      signal,
      code,
      ...answer,
      onDivergence: facts.has("fork") ? "fork" : undefined,
      uncertain: facts.has("repeat") ? "repeat" : facts.has("skip") ? "skip" : undefined,
      refreshReads: facts.has("refresh-reads"),
      limits: timeoutMs === undefined ? undefined : { timeoutMs },
      ...watchRun(where),
    });
    return showRun({ ...where, signal }, running);
  },
};
