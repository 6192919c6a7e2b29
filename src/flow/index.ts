// Flow control (limits and retries of calls) and the read cache.
export { type Limiter, parseDuration } from "./limiter.js";
export { type Flow, type FlowCall, openFlow } from "./open-flow.js";
export { openReadCache, type ReadCache } from "./read-cache.js";
export { readResponseLimit, readResultLimit } from "./read-rate-limit.js";
