// Connections to MCP servers: start on first use, list, call, restart after a crash.
export { toRoots } from "./answer-server.js";
export { fromOfferedResult, toOfferedParameters, toOfferedResult } from "./call-tool.js";
export { readMessage, toToolResult } from "./in-process/open-in-process.js";
export { prepareTools } from "./in-process/prepare-tools.js";
export { serveFetches } from "./launch/fetch-package.js";
export { Launcher } from "./launch/launcher.js";
export { toListedTool } from "./listing/to-listed.js";
export type { LinkRequest, OpenLinkOptions, UpstreamLink } from "./open-link.js";
export type { DeviceCode } from "./sign-in/device-sign-in.js";
export { type RefreshJob, runRefreshJob } from "./sign-in/refresh-sign-in.js";
export {
  type Account,
  readAccount,
  type SignInPerson,
  signIn,
  signOut,
} from "./sign-in/sign-in.js";
export type { ListOptions, UpstreamStatus } from "./upstream-requests.js";
export { type OpenUpstreamsOptions, openUpstreams, type ToolCall, type Upstreams } from "./upstreams.js";
