// Calls one tool on its server or in a simulation, and learns the shape of the answer.
import { simulateAnswer } from "../../catalog/index.js";
import type { JsonObject, Tool, ToolProgress, ToolResult } from "../../contracts/index.js";
import type { Host } from "../host/host.js";
import type { CallOrigin } from "../plugins/call-hooks.js";

export interface InvokeOptions {
  readonly signal?: AbortSignal | undefined;
  /** Answer with generated values that fit the tool's types, without calling the server. */
  readonly isSimulated?: boolean | undefined;
  /** The run that makes the call. */
  readonly origin?: CallOrigin | undefined;
  readonly onProgress?: ((progress: ToolProgress) => void) | undefined;
}

/** The beginning of a large result is enough to learn its shape. */
const toLearnable = async (result: ToolResult): Promise<ToolResult> => {
  const { large } = result;
  if (large === undefined || result.isError === true) return result;
  return { content: large.hasStructure ? [{ type: "text", text: large.head }] : await large.readBlocks() };
};

export const invokeTool = async (
  host: Host,
  tool: Tool,
  value: JsonObject,
  options: InvokeOptions = {},
): Promise<ToolResult> => {
  host.counters.calls++;
  if (options.isSimulated === true) {
    return simulateAnswer({ tool: await host.shapes.show(tool), arguments: value });
  }
  const { signal, origin, onProgress } = options;
  const make = (given: JsonObject): Promise<ToolResult> => {
    host.uses.note(tool);
    return host.upstreams.call({
      server: tool.server,
      tool: tool.name,
      arguments: given,
      isSession: origin?.session !== undefined,
      signal,
      onProgress,
    });
  };
  const around = host.plugins?.aroundCall;
  const { timeouts, workspace } = host.configuration.settings;
  const result =
    around === undefined
      ? await make(value)
      : await around(
          {
            tool,
            arguments: value,
            workspace,
            signal: signal ?? new AbortController().signal,
            // A run has its own timeout. A call without a run needs one.
            ...(origin === undefined ? { timeoutMs: timeouts.callTimeoutMs } : { origin }),
          },
          make,
        );
  host.shapes.observe(tool, await toLearnable(result));
  return result;
};
