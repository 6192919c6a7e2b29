// Renders a run for a model, as an MCP result: texts, images, and the meter, which the model does not read.
import type { JsonObject, RunMeter, RunResult, ShownOutput } from "../../../contracts/index.js";
import type { RunState } from "../../../coordinator/index.js";
import { renderRunTexts } from "../../../coordinator/index.js";

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

export const renderState = ({ runId, status, calls, logs }: RunState): ShownResult => {
  const printed = logs.slice(-maxLines).map(({ text }) => text);
  const step = `Ask again with code: "" and resume: "${runId}"; add choose: "cancel" to stop it.`;
  const texts = [`The run "${runId}" is ${status}, ${calls} calls so far. ${step}`, ...printed];
  return { content: [{ type: "text", text: texts.join("\n") }] };
};
