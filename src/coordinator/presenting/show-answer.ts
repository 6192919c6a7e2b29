// Renders one tool's answer for a model, like the result of a program that returned it.
import type { RunResult, ShownOutput } from "../../contracts/index.js";
import type { ShowAnswerRequest } from "../coordinator.js";
import type { Host } from "../host/host.js";
import { openValues } from "../runs/open-values.js";
import { showRun } from "./show-run.js";

export const showAnswer = async (
  host: Host,
  { value, output: mode = host.configuration.settings.output }: ShowAnswerRequest,
): Promise<ShownOutput> => {
  const { outputTokens } = host.configuration.settings.limits;
  const result: Pick<RunResult, "value" | "logs"> = { value, logs: [] };
  return showRun({
    result,
    mode,
    language: "typescript",
    outputTokens,
    counter: host.tokens,
    openValues: openValues(host),
  });
};
