// Calls one tool without a program: find, validate, call, unwrap.
import { askApproval, unwrapResult } from "../bridge/index.js";
import { validateArguments } from "../catalog/index.js";
import type { Json, JsonObject, Tool } from "../contracts/index.js";
import { CoordinatorError, parseJson, readLargeInteger, toExactInteger } from "../contracts/index.js";
import type { CallRequest } from "./coordinator.js";
import { findTool, type Rooms, renewTool } from "./opening/rooms.js";
import { invokeTool } from "./running/invoke-tool.js";
import { needsApproval } from "./running/needs-approval.js";

const isAllowed = async ({ onQuestion }: CallRequest, tool: Tool, value: JsonObject): Promise<boolean> => {
  const given = await onQuestion?.(askApproval([{ server: tool.server, tool: tool.name, arguments: value }]));
  return given !== undefined && "answer" in given && given.answer === true;
};

/** The tool as it takes these arguments, if need be after its server was asked again. */
const findFitting = async (rooms: Rooms, request: CallRequest, value: JsonObject): Promise<Tool> => {
  const tool = await findTool(rooms, request.server, request.tool);
  try {
    validateArguments(tool, value);
    return tool;
  } catch (thrown) {
    const renewed = await renewTool(rooms, tool);
    if (renewed === undefined) throw thrown;
    validateArguments(renewed, value);
    return renewed;
  }
};

/** A number that is too large for its digits was rounded before it came here. A BigInt has all of them. */
const refuseRounded = (value: unknown, tool: string): unknown => {
  if (typeof value === "bigint") return toExactInteger(value);
  if (typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value))
    throw new CoordinatorError(
      "ARGUMENTS_INVALID",
      `Cannot call "${tool}": the number ${value} is rounded, integers beyond 2^53 lose digits here`,
      { hint: "Call it from a program: a BigInt in TypeScript and an int in Python keep every digit." },
    );
  if (typeof value !== "object" || value === null || readLargeInteger(value) !== undefined) return value;
  if (Array.isArray(value)) return value.map((item) => refuseRounded(item, tool));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, refuseRounded(item, tool)]));
};

export const callTool = async (rooms: Rooms, request: CallRequest): Promise<Json> => {
  const value = refuseRounded(request.arguments ?? {}, `${request.server}.${request.tool}`) as JsonObject;
  const tool = await findFitting(rooms, request, value);
  const isAsked = request.isApproved !== true && needsApproval(rooms.configuration.settings.approve, tool);
  if (isAsked && !(await isAllowed(request, tool, value)))
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
    return parseJson(answer.body) as Json;
  } catch {
    return answer.body;
  }
};
