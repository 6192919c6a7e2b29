// The coordinator as a class, under the names of the system that this one grew from.

export { Coordinator } from "./coordinator.js";
export type {
  CoordinatorClassOptions,
  DiscoveredServer,
  ExecutionOptions,
  ExecutionOutcome,
} from "./coordinator-options.js";
