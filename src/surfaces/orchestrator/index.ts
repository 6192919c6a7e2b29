// The coordinator as a task orchestrator, under the names of a similar system.
export type {
  AgentTask,
  ExecutionResult,
  ExecutionStats,
  OrchestratorOptions,
  OrchestratorStats,
  Skill,
} from "./agent-task.js";
export { MCPOrchestrator } from "./mcp-orchestrator.js";
