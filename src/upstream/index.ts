// Connections to MCP servers: start on first use, list, call, restart after a crash.
export { toRoots } from "./answer-server.js";
export { fromOfferedResult, toOfferedParameters, toOfferedResult } from "./call-offered.js";
export { readMessage, toToolResult } from "./in-process/open-in-process.js";
export { prepareTools } from "./in-process/prepare-tools.js";
export { Launcher } from "./launch/launcher.js";
export { serveFetches } from "./launch/serve-fetches.js";
export type { LinkRequest, OpenLinkOptions, UpstreamLink } from "./open-link.js";
export type { DeviceCode } from "./sign-in/device-sign-in.js";
export { type RefreshJob, runRefreshJob } from "./sign-in/refresh-sign-in.js";
export { type SignInPerson, signInToServer as signIn } from "./sign-in/sign-in.js";
export { type Account, readAccount, signOut } from "./sign-in/sign-out.js";
export { toListedTool } from "./to-listed.js";
export type { ListOptions, UpstreamStatus } from "./upstream-requests.js";
export type { OpenUpstreamsOptions, ToolCall, Upstreams } from "./upstreams.js";
export { openUpstreams } from "./upstreams.js";
export { withinTime } from "./within-time.js";
