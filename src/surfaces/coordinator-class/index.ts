// The coordinator as a class, under the names of its predecessor.

export { Coordinator } from "./coordinator.js";
export type {
  CoordinatorClassOptions,
  DiscoveredServer,
  ExecutionOptions,
  ExecutionOutcome,
} from "./coordinator-options.js";
