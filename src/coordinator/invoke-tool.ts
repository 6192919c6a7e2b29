// One call of a tool: by its server, or by a simulation of it; what comes back is looked at for its shape.
import { simulateAnswer } from "../catalog/index.js";
import type { JsonObject, Tool, ToolResult } from "../contracts/index.js";
import type { Rooms } from "./rooms.js";

export interface InvokeOptions {
  readonly signal?: AbortSignal;
  /** Answer with made-up values that fit the tool's types, and leave the server alone. */
  readonly isSimulated?: boolean;
}

export const invokeTool = async (
  rooms: Rooms,
  tool: Tool,
  value: JsonObject,
  options: InvokeOptions = {},
): Promise<ToolResult> => {
  rooms.counters.calls++;
  if (options.isSimulated === true) {
    return simulateAnswer({ tool: await rooms.shapes.show(tool), arguments: value });
  }
  rooms.uses.note(tool);
  const result = await rooms.upstreams.call({
    server: tool.server,
    tool: tool.name,
    arguments: value,
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
  if (result.isError !== true) rooms.shapes.observe(tool, result);
  return result;
};
