// A run that a client waits for: followed until it ends or the client has waited long enough, put to people when it asks.
import type { CallToolResult, InputRequiredResult } from "@modelcontextprotocol/server";
import type { RunRequest, RunResult } from "../../contracts/index.js";
import type { Coordinator, ResumeRequest, RunState } from "../../coordinator/index.js";
import { askClient, type ClientAnswer } from "./ask-client.js";
import type { Given } from "./read-arguments.js";
import { renderRun } from "./render-run.js";
import { renderState } from "./render-state.js";

export interface SurfaceCall {
  readonly name: string;
  readonly arguments: Given;
  readonly signal: AbortSignal;
  /** Tells the client a line of what is under way, when it wants to know. */
  readonly onProgress?: (line: string) => void;
  /** The client shows people what a run asks. */
  readonly canAsk?: boolean;
  /** What people said to what a run asked when this call was made before. */
  readonly answered?: ClientAnswer;
}

export type Answer = CallToolResult | InputRequiredResult;

type Render = (result: RunResult) => CallToolResult;

/** Nobody waits longer for it than the client does. */
export const followRun = async (
  coordinator: Coordinator,
  call: SurfaceCall,
  request: RunRequest | ResumeRequest,
  render: Render = renderRun,
): Promise<Answer> => {
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

export const answerState = (state: RunState, call: SurfaceCall, render: Render = renderRun): Answer =>
  state.result === undefined ? renderState(state) : answerResult(state.result, call, render);

export const answerResult = (
  result: RunResult,
  { canAsk }: SurfaceCall,
  render: Render = renderRun,
): Answer =>
  result.question !== undefined && canAsk === true ? askClient(result, result.question) : render(result);
