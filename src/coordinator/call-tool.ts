// Calls one tool without a program: find, validate, call, unwrap.
import { unwrapResult } from "../bridge/index.js";
import { validateArguments } from "../catalog/index.js";
import type { Json } from "../contracts/index.js";
import { CoordinatorError } from "../contracts/index.js";
import type { CallRequest } from "./coordinator.js";
import { findTool, type Rooms } from "./opening/rooms.js";
import { invokeTool } from "./running/invoke-tool.js";
import { needsApproval } from "./running/needs-approval.js";

export const callTool = async (rooms: Rooms, request: CallRequest): Promise<Json> => {
  const tool = await findTool(rooms, request.server, request.tool);
  const value = request.arguments ?? {};
  validateArguments(tool, value);
  if (request.isApproved !== true && needsApproval(rooms.configuration.settings.approve, tool))
    throw new CoordinatorError(
      "CALL_DENIED",
      `Cannot call "${tool.server}.${tool.name}": people must allow it`,
      {
        hint: "Call it in a program: a run can wait until people allow it.",
      },
    );
  const result = await invokeTool(
    rooms,
    tool,
    value,
    request.signal === undefined ? {} : { signal: request.signal },
  );
  rooms.shapes.keepLater();
  const answer = unwrapResult(result, request.isRaw === true);
  if (answer.status === "failed") throw new CoordinatorError("TOOL_FAILED", answer.message);
  if (answer.format === "text") return answer.body;
  try {
    return JSON.parse(answer.body) as Json;
  } catch {
    return answer.body;
  }
};
