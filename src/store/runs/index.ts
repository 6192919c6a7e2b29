// Runs that last: their journals, their replay, their cassettes.
export { openRuns } from "./runs.js";
