// Flow control and the read cache: when a call may be made, when it is repeated, and when its answer is known already.
export type { Limiter } from "./limiter.js";
export { type Flow, type FlowCall, openFlow } from "./open-flow.js";
export { parseDuration } from "./parse-rate.js";
export { openReadCache, type ReadCache } from "./read-cache.js";
export { readResponseLimit, readResultLimit } from "./read-rate-limit.js";
