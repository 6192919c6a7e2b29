// The agent tools as functions, for frameworks with their own tool types.
import type { RunRequest } from "../../../contracts/index.js";
import type { Coordinator } from "../../../coordinator/index.js";
import type { ShownResult } from "./answer-run.js";
import { callSurfaceTool } from "./call-surface-tool.js";
import { readTools } from "./describe-surface.js";
import type { SurfaceTool } from "./describe-tools.js";
import { type Given, RefusedCall } from "./read-arguments.js";

export interface CreateToolsOptions {
  /** Offer the tool that calls a single tool without a program. @default the setting `callTool` */
  readonly callTool?: boolean | undefined;
  /** Asks people what a run asks; undefined leaves it paused. Without it the model reads the question. */
  readonly onQuestion?: RunRequest["onQuestion"] | undefined;
}

export interface CallableTool extends SurfaceTool {
  /** Never rejects for a model's mistake: the model reads the error and tries again. */
  readonly call: (given: unknown, signal: AbortSignal | undefined) => Promise<ShownResult>;
}

/** The current tools. Their descriptions change with the catalog, so list them again if that matters. */
export const listCallableTools = async (
  coordinator: Coordinator,
  { callTool = coordinator.surface.hasCallTool, onQuestion }: CreateToolsOptions = {},
): Promise<readonly CallableTool[]> => {
  const surface = { ...coordinator.surface, hasCallTool: callTool };
  const tools = await readTools(coordinator, { surface });
  const client = {};
  return tools.map((tool) => ({
    ...tool,
    call: async (given, signal = new AbortController().signal) => {
      const request = {
        name: tool.name,
        arguments: toGiven(given),
        signal,
        client,
        surface,
        onQuestion,
      };
      return callSurfaceTool(coordinator, request).catch((thrown: unknown) => {
        if (!(thrown instanceof RefusedCall)) throw thrown;
        return { content: [{ type: "text", text: thrown.message }], isError: true } as const;
      });
    },
  }));
};

const toGiven = (given: unknown): Given =>
  typeof given === "object" && given !== null && !Array.isArray(given) ? (given as Given) : {};
