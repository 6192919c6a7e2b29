// Connections to MCP servers: start on first use, list, call, restart after a crash.
export { readMessage, toToolResult } from "./in-process/open-in-process.js";
export { prepareTools } from "./in-process/prepare-tools.js";
export { Launcher } from "./launch/launcher.js";
export { serveFetches } from "./launch/serve-fetches.js";
export { toListedTool } from "./to-listed.js";
export type { ListOptions, UpstreamStatus } from "./upstream-requests.js";
export type { OpenUpstreamsOptions, ToolCall, Upstreams } from "./upstreams.js";
export { openUpstreams } from "./upstreams.js";
export { withinTime } from "./within-time.js";
