// The last step of a run: hand the result to plugins, render what a model reads, count tokens, write the result to the journal.
import type { RunQuestion, RunResult } from "../../contracts/index.js";
import { showRun } from "../presenting/show-run.js";
import { openValues } from "../workspaces/workspaces.js";
import type { Run } from "./admit.js";
import { guardResult } from "./guard-run.js";

/** `times`: the last readings of the program's clock. */
export const record = async (run: Run, result: RunResult, times?: string): Promise<RunResult> => {
  const { journal, meter } = run;
  const whole = await applyPlugins(run, addCommands(run, journal.mark(result)));
  // What is withheld is neither read nor stored. A run that has failed because of it can be resumed.
  const guarded = journal.mark(await guardResult(run, whole));
  return journal.end(await meter.close(await addShown(run, guarded)), times);
};

/** The command that a person types next, if a person has to decide. */
const addCommands = ({ host, request }: Run, result: RunResult): RunResult => {
  const toCommand = (words: readonly string[]): string => host.toCommand(words, request.workspace);
  const { runId, question, plan } = result;
  if (question !== undefined)
    return { ...result, question: { ...question, command: toCommand(toAnswerWords(runId, question)) } };
  if (plan === undefined) return result;
  return { ...result, plan: { ...plan, command: toCommand(["commit", plan.planId]) } };
};

/** The words of the command that answers a question, or signs in. */
export const toAnswerWords = (runId: string, { kind, server = "" }: RunQuestion): readonly string[] =>
  kind === "sign-in" ? ["login", server] : ["resume", runId];

/** Plugins run first, so that what they remove is not read, counted or stored. */
const applyPlugins = async ({ host, request }: Run, result: RunResult): Promise<RunResult> => {
  const afterRun = host.plugins?.afterRun;
  if (afterRun === undefined) return result;
  const timeoutMs = request.limits?.timeoutMs ?? host.configuration.settings.limits.timeoutMs;
  return afterRun(request, result, { timeoutMs });
};

/** Adds what a model reads of the result, if the caller asked for it. */
const addShown = async ({ host, request, outputTokens }: Run, result: RunResult): Promise<RunResult> => {
  const { output: mode, language = "typescript", workspace } = request;
  if (mode === undefined) return result;
  const counting = { outputTokens, counter: host.tokens, openValues: openValues(host, workspace) };
  return { ...result, shown: await showRun({ result, mode, language, ...counting }) };
};
