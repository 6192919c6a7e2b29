// `resume`: goes on with a run, by the same program or a corrected one.
import type { Json } from "../../../contracts/index.js";
import type { ResumeRequest } from "../../../coordinator/index.js";
import type { Command, CommandContext } from "../command.js";
import { readProgram } from "../read-program.js";
import { readCount, readText, usage } from "../read-words.js";
import { showRun, watchRun } from "./run.js";

/** `--answer`, `--yes` or `--no`; a text that is JSON is taken as JSON unless a text is asked for. */
const readAnswer = async ({
  options,
  open,
  words: [runId = ""],
}: CommandContext): Promise<Pick<ResumeRequest, "answer" | "isDeclined">> => {
  const text = readText(options, "answer");
  const given = [text !== undefined, options.facts.has("yes"), options.facts.has("no")];
  if (given.filter(Boolean).length > 1)
    throw usage("answer a run", 'more than one of "--answer", "--yes" and "--no" is given', "resume");
  if (options.facts.has("yes")) return { answer: true };
  if (text === undefined && !options.facts.has("no")) return {};
  const { result } = await (await open()).runStatus({ runId });
  const type = result?.question?.schema.type;
  if (text === undefined) return type === "boolean" ? { answer: false } : { isDeclined: true };
  if (type === "string") return { answer: text };
  try {
    return { answer: JSON.parse(text) as Json };
  } catch {
    return { answer: text };
  }
};

export const resume: Command = {
  name: "resume",
  usage: ["resume RUN_ID", "resume RUN_ID FILE", "resume RUN_ID -e CODE"],
  description:
    "Calls that the run made, in the same order with the same arguments, are answered from its journal and not made again. Where the program differs, it stops before anything new is done, unless --fork is given. A write whose answer was lost stops it too, unless --repeat or --skip says what to do.",
  examples: [
    ["mcp-coordinator resume 3f2a9c41d07b report.ts", "With the corrected file"],
    ["mcp-coordinator resume 3f2a9c41d07b", "The same program again, from where it was"],
    ["mcp-coordinator resume 3f2a9c41d07b --yes", "Allow the calls that it waits for"],
  ],
  options: {
    eval: { type: "string", short: "e", value: "CODE", summary: "The corrected program itself" },
    fork: { type: "boolean", summary: "Go on with new calls where the program differs" },
    repeat: { type: "boolean", summary: "Make writes again whose answer was lost" },
    skip: { type: "boolean", summary: "Take writes as done whose answer was lost; they answer null" },
    answer: {
      type: "string",
      value: "TEXT",
      summary: "The answer to what the run asks; JSON where it wants JSON",
    },
    yes: { type: "boolean", summary: "Yes: the calls that wait may be made" },
    no: { type: "boolean", summary: "No: they may not, or the question is not answered" },
    "refresh-reads": { type: "boolean", summary: "Ask again for what was only read" },
    timeout: { type: "string", value: "MS", summary: "Stop it after so many milliseconds" },
  },
  run: async (context) => {
    const { screen, open, words, options, signal } = context;
    const [runId, ...files] = words;
    if (runId === undefined)
      throw usage("resume a run", "its id is missing, wanted RUN_ID of mcp-coordinator runs", "resume");
    const { facts } = options;
    if (facts.has("repeat") && facts.has("skip"))
      throw usage("resume a run", '"--repeat" and "--skip" are given, wanted one of them', "resume");
    const isChanged = files.length > 0 || readText(options, "eval") !== undefined;
    const code = isChanged ? await readProgram(files, options, "resume") : undefined;
    const answer = await readAnswer(context);
    const timeoutMs = readCount(options, "timeout", "resume");
    const coordinator = await open();
    const running = coordinator.resumeRun({
      runId,
      signal,
      ...(code === undefined ? {} : { code }),
      ...answer,
      ...(facts.has("fork") ? { onDivergence: "fork" } : {}),
      ...(facts.has("repeat") ? { uncertain: "repeat" } : facts.has("skip") ? { uncertain: "skip" } : {}),
      ...(facts.has("refresh-reads") ? { refreshReads: true } : {}),
      ...(timeoutMs === undefined ? {} : { limits: { timeoutMs } }),
      ...watchRun(screen),
    });
    return showRun(screen, running, signal);
  },
};
