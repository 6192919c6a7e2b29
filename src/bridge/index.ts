// The bridge: the host functions that guest code may call, and the rules that every call passes.
export { findThrown, unwrapAnswer } from "./answers.js";
export { maxArgumentDepth, measureText } from "./arguments.js";
export type { BridgeLabels } from "./check-data.js";
export { moduleFunctions } from "./discovery.js";
export { networkServer } from "./fetch.js";
export { storesValue } from "./host-functions.js";
export type { Bridge, BridgeOptions } from "./open-bridge.js";
export { makeSingleCall, openBridge } from "./open-bridge.js";
export type { BridgeCall } from "./pipeline.js";
export { askSignIn, isRefusal } from "./server-questions.js";
export type { AskedOptions } from "./tool-calls.js";
