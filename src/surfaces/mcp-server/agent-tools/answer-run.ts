// Answers a call that runs a program: waits until the run ends, asks people something or takes too long, and renders it as an MCP result.
import type { JsonObject, RunMeter, RunRequest, RunResult, ShownOutput } from "../../../contracts/index.js";
import {
  type Coordinator,
  type ResumeRequest,
  type RunState,
  renderRunTexts,
} from "../../../coordinator/index.js";
import type { SurfaceCall } from "./call-surface-tool.js";

export type ShownContent = { type: "text"; text: string } | { type: "image"; data: string; mimeType: string };

export type ShownResult = {
  content: ShownContent[];
  structuredContent?: JsonObject | undefined;
  isError?: true | undefined;
  _meta?: { "mcp-coordinator/meter": RunMeter } | undefined;
};

/** An answer of only texts as one text; undefined if it has images. */
export const joinTexts = ({ content }: ShownResult): string | undefined => {
  const texts = content.flatMap((part) => (part.type === "text" ? [part.text] : []));
  return texts.length === content.length ? texts.join("\n") : undefined;
};

export const renderShown = ({ texts, images, structured }: ShownOutput): ShownResult => ({
  content: [
    ...texts.map((text) => ({ type: "text", text }) as const),
    ...images.map((image) => ({ type: "image", ...image }) as const),
  ],
  structuredContent: structured,
});

export const renderRun = (result: RunResult): ShownResult => ({
  ...renderShown(result.shown ?? { texts: renderRunTexts(result), images: [], cuts: [] }),
  ...(result.error === undefined ? {} : { isError: true }),
  ...(result.meter === undefined ? {} : { _meta: { "mcp-coordinator/meter": result.meter } }),
});

const maxLines = 20;

const renderState = ({ runId, status, calls, logs }: RunState): ShownResult => {
  const printed = logs.slice(-maxLines).map(({ text }) => text);
  const step = `Ask again with code: "" and resume: "${runId}"; add choose: "cancel" to stop it.`;
  const texts = [`The run "${runId}" is ${status}, ${calls} calls so far. ${step}`, ...printed];
  return { content: [{ type: "text", text: texts.join("\n") }] };
};

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
