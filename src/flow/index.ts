// Flow control (limits and retries of calls) and the read cache.
export type { Limiter } from "./limiter.js";
export { type Flow, type FlowCall, openFlow } from "./open-flow.js";
export { parseDuration } from "./parse-rate.js";
export { openReadCache, type ReadCache } from "./read-cache.js";
export { readResponseLimit, readResultLimit } from "./read-rate-limit.js";
