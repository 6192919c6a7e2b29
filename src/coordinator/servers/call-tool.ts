// Calls one tool without a program: find, validate, call, unwrap.
import { askApproval, unwrapAnswer } from "../../bridge/index.js";
import { validateArguments } from "../../catalog/index.js";
import {
  CoordinatorError,
  type Json,
  type JsonObject,
  type PeopleAnswer,
  type RunQuestion,
  readJson,
  type Tool,
} from "../../contracts/index.js";
import { findTool, type Host, renewTool } from "../host/host.js";
import { toExactArguments } from "../runs/exact-arguments.js";
import { invokeTool } from "../runs/invoke-tool.js";
import { needsApproval } from "../runs/needs-approval.js";

export interface CallRequest {
  readonly server: string;
  readonly tool: string;
  readonly arguments?: JsonObject | undefined;
  /** Return the whole MCP result instead of its content. */
  readonly isRaw?: boolean | undefined;
  /** A person has approved the call, if the settings require it. @default false */
  readonly isApproved?: boolean | undefined;
  /** Asks a person, if the settings require approval. */
  readonly onQuestion?: ((question: RunQuestion) => Promise<PeopleAnswer | undefined>) | undefined;
  readonly signal?: AbortSignal | undefined;
}

const isAllowed = async ({ onQuestion }: CallRequest, tool: Tool, value: JsonObject): Promise<boolean> => {
  const given = await onQuestion?.(askApproval([{ server: tool.server, tool: tool.name, arguments: value }]));
  return given !== undefined && "answer" in given && given.answer === true;
};

/** Finds the tool that accepts these arguments, asking its server again if necessary. */
const findFitting = async (host: Host, request: CallRequest, value: JsonObject): Promise<Tool> => {
  const tool = await findTool(host, request.server, request.tool);
  try {
    validateArguments(tool, value);
    return tool;
  } catch (thrown) {
    const renewed = await renewTool(host, tool);
    if (renewed === undefined) throw thrown;
    validateArguments(renewed, value);
    return renewed;
  }
};

export const callTool = async (host: Host, request: CallRequest): Promise<Json> => {
  const value = toExactArguments(request.arguments ?? {}, `call "${request.server}.${request.tool}"`);
  const tool = await findFitting(host, request, value);
  const isAsked = request.isApproved !== true && needsApproval(host.configuration.settings.approve, tool);
  if (isAsked && !(await isAllowed(request, tool, value)))
    throw new CoordinatorError(
      "CALL_DENIED",
      `Cannot call "${tool.server}.${tool.name}": it needs approval`,
      {
        hint: "Call it in a program: a run can wait for approval.",
      },
    );
  const result = await invokeTool(
    host,
    tool,
    value,
    request.signal === undefined ? {} : { signal: request.signal },
  );
  host.shapes.writeLater();
  const answer = await unwrapAnswer(result, request.isRaw === true);
  if (answer.status === "failed") throw new CoordinatorError("TOOL_FAILED", answer.message);
  if (answer.format === "text") return answer.body;
  try {
    return (await readJson(answer.body)) as Json;
  } catch {
    return answer.body;
  }
};
