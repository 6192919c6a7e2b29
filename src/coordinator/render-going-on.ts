// What a model is told of a run that is not the end of it: the words to go on with it, the plan that it made.
import type { ErrorCode, RunPlan, RunResult } from "../contracts/index.js";

const mostCalls = 50;
const longestArguments = 300;

const choices: Partial<Record<ErrorCode, string>> = {
  RUN_DIVERGED: 'Add choose: "fork" to go on from there with new calls; what was done stays done.',
  RUN_UNCERTAIN:
    'Find out whether it was done; then add choose: "skip" (it was) or choose: "repeat" (it was not).',
};

/** The next step after a run that failed, when its calls are kept. */
export const renderGoingOn = ({ runId, isResumable, error }: Partial<RunResult>): readonly string[] => {
  if (isResumable !== true) return [];
  const step = `To go on, correct the program and pass resume: "${runId}": the calls it made are answered from the journal, not made again.`;
  const choice = error === undefined ? undefined : choices[error.code];
  return [choice === undefined ? step : `${step}\n${choice}`];
};

export const renderPlan = ({ planId, calls }: RunPlan): string => {
  const lines = calls.slice(0, mostCalls).map(({ server, tool, arguments: given, usesSimulated }, at) => {
    const text = JSON.stringify(given);
    const shown = text.length > longestArguments ? `${text.slice(0, longestArguments)}…` : text;
    return `${at + 1}. ${server}.${tool}(${shown})${usesSimulated === true ? " (holds a made-up value)" : ""}`;
  });
  if (calls.length > mostCalls) lines.push(`and ${calls.length - mostCalls} more`);
  if (calls.length === 0) return "The program would change nothing.";
  return [`The plan "${planId}" has ${calls.length} calls, none of them made:`, ...lines].join("\n");
};
