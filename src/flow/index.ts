// Flow control (limits and retries of calls) and the read cache.
export { type HostFlow, openHostFlow, passCall, type RunFlow } from "./pass-call.js";
export { readResponseLimit } from "./read-rate-limit.js";
