// The coordinator as an orchestrator of tasks, under the names of another system of this kind.
export type {
  AgentTask,
  ExecutionResult,
  ExecutionStats,
  OrchestratorOptions,
  OrchestratorStats,
  Skill,
} from "./agent-task.js";
export { MCPOrchestrator } from "./mcp-orchestrator.js";
