// `resume`, `commit` and `replay`: resume a run, make the calls of a plan, or repeat a recorded run without any server.
import { timingSafeEqual } from "node:crypto";
import { CoordinatorError, type Json, parseJson } from "../../../contracts/index.js";
import type { Coordinator, ResumeRequest, WaitingQuestion } from "../../../coordinator/index.js";
import { type Command, type CommandContext, pausedExitCode } from "../command.js";
import { askQuestion, renderQuestion } from "../prompt/ask-person.js";
import {
  idHint,
  readCount,
  readNamedFile,
  readProgram,
  readText,
  usage,
  workspaceOption,
} from "../read-words.js";
import { noteAnswering, showRun, watchRun } from "../render/run.js";
import type { Screen } from "../screen.js";

type Answer = Pick<ResumeRequest, "answer" | "isDeclined" | "attempt" | "questionHash">;

/** The answer to the run's question. Undefined: the person left without an answer. */
const readAnswer = async (
  { screen, options }: CommandContext,
  coordinator: Coordinator,
  { runId, waiting, mayAsk }: { runId: string; waiting: WaitingQuestion | undefined; mayAsk: boolean },
): Promise<Answer | undefined> => {
  const text = readText(options, "answer");
  const code = readText(options, "yes");
  const isNo = options.facts.has("no");
  const isServer = waiting?.question.kind === "elicitation";
  if ([text !== undefined, code !== undefined && !isServer, isNo].filter(Boolean).length > 1)
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
  if (question.kind === "sign-in" && isGiven)
    throw invalid(runId, "only a sign-in continues it", `Run: ${question.command}`);
  if (question.kind === "approval" && isGiven) {
    if (code !== undefined && isSame(code, waiting.code)) return { ...shown, answer: true };
    throw refuseCode(screen, runId, waiting, code);
  }
  // The command may come from an agent with a shell, which cannot answer a server in a person's place.
  if (isServer && isGiven && question.mayAgentAnswer !== true && !isSame(code ?? "", waiting.code))
    throw refuseCode(screen, runId, waiting, code);
  if (code !== undefined && text === undefined && (!isServer || question.url !== undefined))
    return { ...shown, answer: true };
  if (text !== undefined) return { ...shown, answer: readJson(text, question.schema.type) };
  if (!mayAsk) return {};
  const given = await askQuestion(screen, coordinator, waiting);
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
      ? waiting.question.kind === "elicitation"
        ? "only people can answer a server, with --yes CODE or --no"
        : "approval needs --yes CODE or --no"
      : code === ""
        ? "--yes has no code, so it does not say what it answers"
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
      summary:
        "Approve the calls that were shown with CODE; without CODE, answer a yes-or-no question with yes",
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
      throw usage("resume a run", "its id is missing, expected RUN_ID", "resume", idHint);
    const { facts } = options;
    if (facts.has("repeat") && facts.has("skip"))
      throw usage("resume a run", '"--repeat" and "--skip" are given, expected one of them', "resume");
    const isChanged = files.length > 0 || readText(options, "eval") !== undefined;
    const code = isChanged ? await readProgram(files, options, "resume") : undefined;
    const timeoutMs = readCount(options, "timeout", "resume");
    const workspace = readText(options, "workspace");
    const coordinator = await open();
    const where = { screen, coordinator, workspace };
    const waiting = await coordinator.readQuestion({ runId, workspace });
    // A changed program may ask something else; it is then asked when it gets there.
    const answer = await readAnswer(context, coordinator, {
      runId,
      waiting,
      mayAsk: screen.canAsk && !isChanged,
    });
    if (answer === undefined) return pausedExitCode;
    const running = coordinator.resumeRun({
      runId,
      workspace,
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

export const commit: Command = {
  name: "commit",
  usage: ["commit PLAN_ID"],
  description:
    "Makes exactly the calls that the plan lists, in order. A plan is carried out once: after a failure, commit continues where it stopped.",
  examples: [["mcp-coordinator commit 3f2a9c41d07b", "The plan with that id"]],
  options: { workspace: workspaceOption },
  run: async ({ screen, open, words, options, signal }) => {
    const [planId, ...more] = words;
    if (planId === undefined || more.length > 0)
      throw usage("commit a plan", `${words.length} ids are given, expected one`, "commit", idHint);
    const workspace = readText(options, "workspace");
    const coordinator = await open();
    const where = { screen, coordinator, workspace };
    const committing = coordinator.commitPlan({ planId, signal, ...watchRun(where), workspace });
    return showRun({ ...where, signal }, committing);
  },
};

export const replay: Command = {
  name: "replay",
  usage: ["replay FILE"],
  description:
    "Calls no server and needs no configuration. Reports on stderr whether the run ended as recorded.",
  examples: [["mcp-coordinator replay report.recording", "A file written by runs export"]],
  options: {},
  run: async ({ screen, open, words, signal }) => {
    const [file, ...more] = words;
    if (file === undefined || more.length > 0)
      throw usage("replay a run", `${words.length} files are given, expected one`, "replay");
    const cassette = await readNamedFile(file, `replay "${file}"`, "replay", {
      expected: 'a file written by "runs export"',
    });
    const coordinator = await open({ config: { mcpServers: {} }, isQuiet: true });
    const replaying = coordinator.replayRun({
      cassette,
      signal,
      ...watchRun({ screen, coordinator }),
    });
    const exitCode = await showRun(
      { screen, coordinator, signal },
      replaying.then(({ result }) => result),
    );
    const { isSame } = await replaying;
    screen.note(isSame ? "It ended as recorded" : "It did not end as recorded");
    return exitCode;
  },
};
