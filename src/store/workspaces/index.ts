// The files of a workspace: isolated, bounded, whole; and what programs keep in them.
export { parsePath } from "./parse-path.js";
export { openStates } from "./states.js";
export { openWorkspaceFiles } from "./workspace-files.js";
