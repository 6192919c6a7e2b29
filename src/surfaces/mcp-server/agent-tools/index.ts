// The tools that agents see, on every surface: described, called, rendered.
export { attachMedia, joinTexts, type ShownContent, type ShownResult } from "./answer-run.js";
export { type ClientAnswer, callSurfaceTool, type SurfaceCall } from "./call-surface-tool.js";
export {
  agentToolNames,
  type CallableTool,
  type CreateToolsOptions,
  describeSurface,
  listCallableTools,
  readTools,
  renderInstructions,
  type SurfaceTool,
} from "./describe-tools.js";
export { RefusedCall } from "./read-arguments.js";
