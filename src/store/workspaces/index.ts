// The files of a workspace: isolated, bounded, whole; and what programs keep in them.
export { openStates } from "./states.js";
export { openWorkspaceFiles } from "./workspace-files.js";
