// The bridge: the host functions that guest code may call, and the rules that every call passes.
export { unwrapAnswer } from "./answers.js";
export { measureText } from "./arguments.js";
export { askApproval } from "./ask-people.js";
export { moduleFunctions } from "./discovery.js";
export { journaledNetwork, networkServer } from "./fetch.js";
export { storesValue } from "./host-functions.js";
export type { Bridge, BridgeOptions } from "./open-bridge.js";
export { openBridge } from "./open-bridge.js";
export type { ApprovedTool } from "./pipeline.js";
