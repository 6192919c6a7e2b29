// Calls of upstream tools: find the tool, read and validate the arguments, call the server.
import type { Json, JsonObject, Tool } from "../contracts/index.js";
import { largeBytes, takeTurn, toCoordinatorError } from "../contracts/index.js";
import { checkAnswerSize, toEffect, unwrapAnswer } from "./answers.js";
import { readCall } from "./arguments.js";
import { listsModule, resolveDiscovery } from "./discovery.js";
import { nameHandles } from "./handles.js";
import type { BridgeOptions } from "./open-bridge.js";
import type { BridgeCall } from "./pipeline.js";
import type { ValueFunctions } from "./stored-values.js";

export const resolveTool = (options: BridgeOptions, stored: ValueFunctions) => {
  const listModule = resolveDiscovery(options);
  return async (call: BridgeCall): Promise<void> => {
    const { guest } = call;
    try {
      resolveFound(options, stored, call, await options.findTool(guest.server, guest.tool));
    } catch (thrown) {
      if (!listsModule(guest) || toCoordinatorError(thrown).code !== "TOOL_UNKNOWN") throw thrown;
      call.isRecorded = false;
      listModule(call, [guest.server]);
    }
  };
};

const resolveFound = (
  { limits, ...options }: BridgeOptions,
  stored: ValueFunctions,
  call: BridgeCall,
  found: Tool,
): void => {
  const { guest, signal } = call;
  let tool = found;
  let value: JsonObject = {};
  let isStored = false;
  let isLarge = guest.argumentsJson.length > largeBytes;
  const name = `${tool.server}.${tool.name}`;
  call.server = tool.server;
  call.tool = tool.name;
  call.upstream = tool;

  const bind = (values: readonly Json[], contents: ReadonlySet<Json> | undefined): JsonObject => {
    const bound = options.bindArguments(tool, values, contents);
    options.validateArguments(tool, bound);
    return bound;
  };
  call.prepare = async () => {
    const read = await readCall(name, guest.argumentsJson, limits);
    const { values, mark } = read;
    isStored = read.isKept;
    const expanded = mark === undefined ? undefined : await stored.expand(values, mark, name);
    call.release = expanded?.release;
    // Each step of large arguments takes a turn of the event loop of its own.
    isLarge ||= mark !== undefined;
    if (isLarge) await takeTurn();
    const given = expanded?.values ?? values;
    try {
      value = bind(given, expanded?.contents);
    } catch (thrown) {
      const renewed = await options.renewTool?.(tool);
      if (renewed === undefined) throw thrown;
      tool = renewed;
      value = bind(given, expanded?.contents);
    }
    if (isLarge) await takeTurn();
    // The content of a handle may be large and is stored already.
    call.arguments = mark === undefined ? value : nameHandles(values, mark);
    call.effect = toEffect(tool);
    call.decision = options.decide?.({ tool, arguments: value, call: guest, isKept: isStored }) ?? "allowed";
    call.approved = call.decision === "allowed" ? tool : undefined;
    call.shown = value;
  };
  call.invoke = async () => {
    if (isLarge) await takeTurn();
    const result = await options.callTool(tool, value, { decision: call.decision, signal });
    const answer = await unwrapAnswer(result, guest.isRaw);
    return isStored ? stored.storeAnswer(answer) : checkAnswerSize(name, answer, limits);
  };
};
