// One run's door to the host: what guest code may ask, decided, carried out and recorded.
export { moduleFunctions } from "./answer-discovery.js";
export { askApproval } from "./ask-people.js";
export { journalledNetwork, networkServer } from "./fetch-allowed.js";
export type { CallJournal } from "./journalled-calls.js";
export type { ApprovedTool } from "./journalled-fetch.js";
export { isLasting } from "./kept-effects.js";
export type { Bridge, BridgeOptions } from "./open-bridge.js";
export { openBridge } from "./open-bridge.js";
export { measureText } from "./parse-arguments.js";
export { unwrapAnswer, unwrapResult } from "./unwrap-result.js";
