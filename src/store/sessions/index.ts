// Session logs: what was done, task by task, and where to go on.
export { openSessionLogs } from "./session-logs.js";
