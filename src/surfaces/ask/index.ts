// `ask`: a model solves a task with the coordinator's tools.
export { ask } from "./ask.js";
export type {
  AskBudget,
  AskRequest,
  AskResult,
  AskStep,
  AskTool,
  OpenedCoordinator,
} from "./open-coordinator.js";
export { openCoordinator } from "./open-coordinator.js";
