// Commits a plan: writes a program with exactly the plan's calls and runs it like any other, so that it is journaled and can be resumed.
import {
  CoordinatorError,
  type Json,
  type PlannedCall,
  type RunRequest,
  type RunResult,
  readLargeInteger,
} from "../../contracts/index.js";
import type { Host } from "../host/host.js";
import { isSimulated } from "./admit.js";
import { readRun } from "./list-runs.js";
import { openNewJournal } from "./new-journal.js";
import { answerQuestions, resumeRun } from "./resume-run.js";
import { runCode } from "./run-code.js";
import { fromJournaledRights } from "./run-rights.js";

/** The plan whose calls are made, and who answers questions meanwhile. */
export interface CommitRequest
  extends Pick<
    RunRequest,
    | "workspace"
    | "limits"
    | "agentLimits"
    | "isCaller"
    | "signal"
    | "onLog"
    | "onCall"
    | "output"
    | "onQuestion"
    | "conversation"
  > {
  readonly planId: string;
}

/** Derived from the plan, so that a plan is committed once. A second commit resumes the first. */
const toCommitId = (planId: string): string => `${planId}-commit`;

export const commitPlan = async (host: Host, { planId, ...request }: CommitRequest): Promise<RunResult> => {
  const { recorded, readResult } = await readRun(host, { ...request, runId: planId });
  const plan = ((await readResult()) as Partial<RunResult> | undefined)?.plan;
  if (recorded.rights.mode !== "plan" || plan === undefined)
    throw incomplete(planId, "it is a run and not a plan", 'Make a plan with mode "plan", or run --plan.');
  if (recorded.status !== "completed") throw incomplete(planId, `its program ${recorded.status}`);
  if (recorded.attempt > 1)
    throw incomplete(planId, "it was resumed, so its calls are not all known", "Make the plan again.");
  refuseMadeUp(planId, plan.calls, fromJournaledRights(recorded.rights, "resume"));
  const runId = toCommitId(planId);
  const before = await readRun(host, { ...request, runId }).catch(() => undefined);
  if (before?.recorded.status === "completed")
    throw incomplete(planId, `it was carried out already, by the run "${runId}"`, "Make the plan again.");
  const code = writeProgram(planId, plan.calls);
  // The run may have been resumed with another program.
  if (before !== undefined) return resumeRun(host, { ...request, runId, code });
  const rights = fromJournaledRights(recorded.rights, "commit");
  const run: RunRequest = {
    ...request,
    ...rights,
    limits: request.limits === undefined ? rights.limits : { ...rights.limits, ...request.limits },
    agentLimits:
      request.agentLimits === undefined
        ? rights.agentLimits
        : { ...rights.agentLimits, ...request.agentLimits },
    code,
    isChecked: false,
  };
  const openJournal = () => openNewJournal(host, run, runId);
  return answerQuestions(host, run, await runCode(host, run, { openJournal }));
};

/** Checked before the first call: half a plan is worse than none. */
const refuseMadeUp = (
  planId: string,
  calls: readonly PlannedCall[],
  rights: Pick<RunRequest, "simulate">,
): void => {
  const hint =
    'Run the program itself, with approve: ["writes"], so that a person sees each call with its real values.';
  for (const [at, call] of calls.entries()) {
    const what = `call ${at + 1}, ${name(call)},`;
    if (isSimulated(rights, call.server))
      throw incomplete(
        planId,
        `${what} was planned for a simulated server`,
        "Make the plan without simulate.",
      );
    if (call.usesSimulated !== true) continue;
    const sources = call.dependsOn ?? [];
    const on = sources.length === 0 ? "made-up answers" : `the made-up answer of ${sources.join(" and of ")}`;
    throw incomplete(planId, `${what} is not independent of ${on}`, hint);
  }
};

/** JSON is a literal in both languages, except integers that a number cannot hold. */
export const toLiteral = (value: Json): string => {
  const digits = readLargeInteger(value);
  if (digits !== undefined) return `${digits}n`;
  if (Array.isArray(value)) return `[${value.map(toLiteral).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  // In brackets, "__proto__" is an ordinary name.
  const fields = Object.entries(value).map(([key, inner]) => `[${JSON.stringify(key)}]: ${toLiteral(inner)}`);
  return `{ ${fields.join(", ")} }`;
};

const writeProgram = (planId: string, calls: readonly PlannedCall[]): string => {
  const lines = calls.map(({ server, tool, arguments: given }) => {
    const words: readonly Json[] = [server, tool, given];
    return `answers.push(await callTool(${words.map(toLiteral).join(", ")}));`;
  });
  return [
    `// The plan ${planId}, call by call.`,
    "const answers = [];",
    ...lines,
    "return answers;",
    "",
  ].join("\n");
};

const name = (call: PlannedCall | undefined): string => `"${call?.server}.${call?.tool}"`;

const incomplete = (planId: string, state: string, hint?: string): CoordinatorError =>
  new CoordinatorError("PLAN_INCOMPLETE", `Cannot commit the plan "${planId}": ${state}`, { hint });
