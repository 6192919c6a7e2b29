// Answers a call that runs a program: waits until the run ends, asks people something or takes too long, and renders it as an MCP result.
import { setTimeout as delay } from "node:timers/promises";
import type {
  JsonObject,
  RunMeter,
  RunRequest,
  RunResult,
  ShownMedia,
  ShownOutput,
} from "../../../contracts/index.js";
import {
  type Coordinator,
  type ResumeRequest,
  type RunState,
  renderNextStep,
  renderRunTexts,
} from "../../../coordinator/index.js";
import type { SurfaceCall } from "./call-surface-tool.js";

/** What models read. */
export type ShownContent = { type: "text"; text: string } | { type: "image"; data: string; mimeType: string };

export type ShownResult = {
  content: ShownContent[];
  structuredContent?: JsonObject | undefined;
  isError?: true | undefined;
  /** Content that only clients of the protocol take. */
  media?: readonly ShownMedia[] | undefined;
  _meta?: { "mcp-coordinator/meter": RunMeter } | undefined;
};

/** An answer of only texts as one text; undefined if it has images. */
export const joinTexts = ({ content }: ShownResult): string | undefined => {
  const texts = content.flatMap((part) => (part.type === "text" ? [part.text] : []));
  return texts.length === content.length ? texts.join("\n") : undefined;
};

export const renderShown = ({ texts, images, media, structured }: ShownOutput): ShownResult => ({
  content: [
    ...texts.map((text) => ({ type: "text", text }) as const),
    ...images.map((image) => ({ type: "image", ...image }) as const),
  ],
  structuredContent: structured,
  media,
});

/** The answer for clients of the protocol, which take every kind of content. Whatever else was asked for stays as it is. */
export const attachMedia = <Answer extends object>(answer: Answer | ShownResult) => {
  if (!("content" in answer) || !("media" in answer)) return answer;
  const { media = [], content, ...rest } = answer as ShownResult;
  return { ...rest, content: [...content, ...media] };
};

export const renderRun = (result: RunResult): ShownResult => ({
  ...renderShown(result.shown ?? { texts: renderRunTexts(result), images: [], cuts: [] }),
  isError: result.error === undefined ? undefined : true,
  _meta: result.meter && { "mcp-coordinator/meter": result.meter },
});

const maxLines = 20;

const renderState = ({ runId, status, calls, logs, question }: RunState): ShownResult => {
  const printed = logs.slice(-maxLines).map(({ text }) => text);
  const step = `Ask again with code: "" and resume: "${runId}"; add choose: "cancel" to stop it.`;
  const texts = [
    `The run "${runId}" is ${status}, ${calls} calls so far. ${step}`,
    ...(question === undefined ? [] : renderNextStep({ runId, question })),
    ...printed,
  ];
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
  if (call.arguments.background === true)
    return renderState(await coordinator.runStatus({ runId, conversation: call.client }));
  const cancel = (): void => void coordinator.cancelRun({ runId }).catch(() => {});
  signal.addEventListener("abort", cancel, { once: true });
  if (signal.aborted) cancel();
  try {
    const timeoutMs = coordinator.surface.answerWithinMs;
    return answerState(
      await coordinator.waitForRun({ runId, timeoutMs, untilAsked: true, conversation: call.client }),
      call,
      render,
    );
  } finally {
    signal.removeEventListener("abort", cancel);
  }
};

const pollMs = 200;

/** A person is signing in for the run: waits for that, and then for the run. */
export const followSignIn = async <Asked>(
  coordinator: Coordinator,
  call: SurfaceCall<Asked>,
  { runId, attempt }: Pick<ResumeRequest, "runId" | "attempt">,
  render: Render = renderRun,
): Promise<ShownResult | Asked> => {
  const untilMs = performance.now() + coordinator.surface.answerWithinMs;
  const isWaiting = ({ status, result }: RunState): boolean =>
    status === "paused" && result?.question?.attempt === attempt;
  let state = await coordinator.runStatus({ runId, conversation: call.client });
  while (isWaiting(state) && performance.now() < untilMs && !call.signal.aborted) {
    await delay(pollMs);
    state = await coordinator.runStatus({ runId, conversation: call.client });
  }
  if (isWaiting(state)) return answerState(state, withoutAsking(call), render);
  const timeoutMs = Math.max(0, untilMs - performance.now());
  return answerState(
    await coordinator.waitForRun({ runId, timeoutMs, untilAsked: true, conversation: call.client }),
    call,
    render,
  );
};

export const answerState = async <Asked>(
  state: RunState,
  call: SurfaceCall<Asked>,
  render: Render = renderRun,
): Promise<ShownResult | Asked> => {
  const { runId, question, result } = state;
  if (result !== undefined) return answerResult(result, call, render);
  const asked = question === undefined ? undefined : await call.ask?.({ runId }, question);
  return asked ?? renderState(state);
};

export const answerResult = async <Asked>(
  result: RunResult,
  { ask }: SurfaceCall<Asked>,
  render: Render = renderRun,
): Promise<ShownResult | Asked> => {
  const { question } = result;
  const asked = question === undefined ? undefined : await ask?.(result, question);
  return asked ?? render(result);
};

/** The same call after people closed the form: the model reads the question. */
export const withoutAsking = <Asked>({ ask: _, ...call }: SurfaceCall<Asked>): SurfaceCall<Asked> => call;
