// Connections to MCP servers: started when first used, listed, called, started again after a crash.
export type { UpstreamStatus } from "./upstream.js";
export type { ListOptions, OpenUpstreamsOptions, ToolCall, Upstreams } from "./upstreams.js";
export { openUpstreams } from "./upstreams.js";
