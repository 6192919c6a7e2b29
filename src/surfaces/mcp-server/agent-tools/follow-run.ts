// Waits for a run until it ends, asks people something, or the client has waited long enough.
import type { RunRequest, RunResult } from "../../../contracts/index.js";
import type { Coordinator, ResumeRequest, RunState } from "../../../coordinator/index.js";
import type { SurfaceCall } from "./call-lazily.js";
import { renderRun, renderState, type ShownResult } from "./render-run.js";

type Render = (result: RunResult) => ShownResult;

/** Waits no longer than the client does. */
export const followRun = async <Asked>(
  coordinator: Coordinator,
  call: SurfaceCall<Asked>,
  request: RunRequest | ResumeRequest,
  render: Render = renderRun,
): Promise<ShownResult | Asked> => {
  const { signal } = call;
  const { runId } = await coordinator.startRun(request);
  if (call.arguments.background === true) return renderState(await coordinator.runStatus({ runId }));
  const cancel = (): void => void coordinator.cancelRun({ runId }).catch(() => {});
  signal.addEventListener("abort", cancel, { once: true });
  if (signal.aborted) cancel();
  try {
    const timeoutMs = coordinator.surface.answerWithinMs;
    return answerState(await coordinator.waitForRun({ runId, timeoutMs }), call, render);
  } finally {
    signal.removeEventListener("abort", cancel);
  }
};

export const answerState = async <Asked>(
  state: RunState,
  call: SurfaceCall<Asked>,
  render: Render = renderRun,
): Promise<ShownResult | Asked> =>
  state.result === undefined ? renderState(state) : answerResult(state.result, call, render);

export const answerResult = async <Asked>(
  result: RunResult,
  { ask }: SurfaceCall<Asked>,
  render: Render = renderRun,
): Promise<ShownResult | Asked> => {
  const { question } = result;
  const asked = question === undefined ? undefined : ask?.(result, question);
  return asked ?? render(result);
};

/** The same call after people closed the form: the model reads the question. */
export const withoutAsking = <Asked>({ ask: _, ...call }: SurfaceCall<Asked>): SurfaceCall<Asked> => call;
