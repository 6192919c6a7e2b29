// `resume`: goes on with a run, by the same program or a corrected one.
import type { Command } from "../command.js";
import { readProgram } from "../read-program.js";
import { readCount, readText, usage } from "../read-words.js";
import { showRun, watchRun } from "./run.js";

export const resume: Command = {
  name: "resume",
  summary: "Go on with a run that failed, was stopped or lost its process",
  usage: ["resume RUN_ID", "resume RUN_ID FILE", "resume RUN_ID -e CODE"],
  description:
    "Calls that the run made, in the same order with the same arguments, are answered from its journal and not made again. Where the program differs, it stops before anything new is done, unless --fork is given. A write whose answer was lost stops it too, unless --repeat or --skip says what to do.",
  examples: [
    ["mcp-coordinator resume 3f2a9c41d07b report.ts", "With the corrected file"],
    ["mcp-coordinator resume 3f2a9c41d07b", "The same program again, from where it was"],
  ],
  options: {
    eval: { type: "string", short: "e", value: "CODE", summary: "The corrected program itself" },
    fork: { type: "boolean", summary: "Go on with new calls where the program differs" },
    repeat: { type: "boolean", summary: "Make writes again whose answer was lost" },
    skip: { type: "boolean", summary: "Take writes as done whose answer was lost; they answer null" },
    "refresh-reads": { type: "boolean", summary: "Ask again for what was only read" },
    timeout: { type: "string", value: "MS", summary: "Stop it after so many milliseconds" },
  },
  run: async ({ screen, open, words, options, signal }) => {
    const [runId, ...files] = words;
    if (runId === undefined)
      throw usage("resume a run", "its id is missing, wanted RUN_ID of mcp-coordinator runs", "resume");
    const { facts } = options;
    if (facts.has("repeat") && facts.has("skip"))
      throw usage("resume a run", '"--repeat" and "--skip" are given, wanted one of them', "resume");
    const isChanged = files.length > 0 || readText(options, "eval") !== undefined;
    const code = isChanged ? await readProgram(files, options, "resume") : undefined;
    const timeoutMs = readCount(options, "timeout", "resume");
    const coordinator = await open();
    const running = coordinator.resumeRun({
      runId,
      signal,
      ...(code === undefined ? {} : { code }),
      ...(facts.has("fork") ? { onDivergence: "fork" } : {}),
      ...(facts.has("repeat") ? { uncertain: "repeat" } : facts.has("skip") ? { uncertain: "skip" } : {}),
      ...(facts.has("refresh-reads") ? { refreshReads: true } : {}),
      ...(timeoutMs === undefined ? {} : { limits: { timeoutMs } }),
      ...watchRun(screen),
    });
    return showRun(screen, running, signal);
  },
};
