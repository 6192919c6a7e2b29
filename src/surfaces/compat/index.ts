// Classes under the names of other systems: the coordinator as a class, and as a task orchestrator.
export type {
  CoordinatorClassOptions,
  DiscoveredServer,
  ExecutionOptions,
  ExecutionOutcome,
} from "./coordinator-class.js";
export { Coordinator } from "./coordinator-class.js";
export type {
  AgentTask,
  ExecutionResult,
  ExecutionStats,
  OrchestratorOptions,
  OrchestratorStats,
  Skill,
} from "./execution-result.js";
export { MCPOrchestrator } from "./orchestrator.js";
