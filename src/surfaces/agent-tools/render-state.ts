// Renders a run that takes longer than its client waits, for a model.
import type { RunState } from "../../coordinator/index.js";
import type { ShownResult } from "./render-run.js";

const maxLines = 20;

export const renderState = ({ runId, status, calls, logs }: RunState): ShownResult => {
  const printed = logs.slice(-maxLines).map(({ text }) => text);
  const step = `Ask again with code: "" and resume: "${runId}"; add choose: "cancel" to stop it.`;
  const texts = [`The run "${runId}" is ${status}, ${calls} calls so far. ${step}`, ...printed];
  return { content: [{ type: "text", text: texts.join("\n") }] };
};
