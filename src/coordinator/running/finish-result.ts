// What is added to a run's result before it is stored: what plugins make of it, what a model reads, what a person types next.
import type { RunRequest, RunResult } from "../../contracts/index.js";
import type { Rooms } from "../opening/rooms.js";
import { showRun } from "../showing/show-run.js";
import { openKept } from "./open-kept.js";

/** What a person types next, where that is up to a person. */
export const addCommands = (rooms: Rooms, { workspace }: RunRequest, result: RunResult): RunResult => {
  const toCommand = (words: readonly string[]): string => rooms.toCommand(words, workspace);
  const { runId, question, plan } = result;
  if (question !== undefined)
    return { ...result, question: { ...question, command: toCommand(["resume", runId]) } };
  if (plan === undefined) return result;
  return { ...result, plan: { ...plan, command: toCommand(["commit", plan.planId]) } };
};

/** What plugins make of a result: before anybody reads, counts or keeps it. */
export const hookResult = async (
  rooms: Rooms,
  request: RunRequest,
  result: RunResult,
): Promise<RunResult> => {
  const afterRun = rooms.plugins?.afterRun;
  if (afterRun === undefined) return result;
  const timeoutMs = request.limits?.timeoutMs ?? rooms.configuration.settings.limits.timeoutMs;
  return afterRun(request, result, { timeoutMs });
};

/** What a model reads of it, if somebody asked for that. */
export const addShown = async (
  rooms: Rooms,
  { output: mode, language = "typescript", workspace }: RunRequest,
  result: RunResult,
  outputTokens: number,
): Promise<RunResult> => {
  if (mode === undefined) return result;
  const counting = { outputTokens, counter: rooms.tokens, openKept: openKept(rooms, workspace) };
  return { ...result, shown: await showRun({ result, mode, language, ...counting }) };
};
