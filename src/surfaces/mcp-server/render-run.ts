// The MCP answer of a run: what a model reads, and beside it the meter, which a model does not read.
import type { RunMeter, RunResult } from "../../contracts/index.js";
import { renderRunTexts } from "../../coordinator/index.js";

export type TextResult = {
  content: { type: "text"; text: string }[];
  isError?: true;
  _meta?: { "mcp-coordinator/meter": RunMeter };
};

export const renderRun = (result: RunResult): TextResult => ({
  content: renderRunTexts(result).map((text) => ({ type: "text", text })),
  ...(result.error === undefined ? {} : { isError: true }),
  ...(result.meter === undefined ? {} : { _meta: { "mcp-coordinator/meter": result.meter } }),
});
