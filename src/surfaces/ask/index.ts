// `ask`: a model solves a task with the coordinator's tools.
export { ask } from "./ask.js";
export type { AskBudget, AskRequest, AskResult, AskStep, AskTool } from "./ask-request.js";
export { type OpenedCoordinator, openCoordinator } from "./open-coordinator.js";
