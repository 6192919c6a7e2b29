// The tools that agents see, on every surface: described, called, rendered.
export { attachMedia, joinTexts, type ShownContent, type ShownResult } from "./answer-run.js";
export { type ClientAnswer, callSurfaceTool, type SurfaceCall } from "./call-surface-tool.js";
export { describeSurface, readTools, renderInstructions } from "./describe-surface.js";
export { agentToolNames, type SurfaceTool } from "./describe-tools.js";
export { type CallableTool, type CreateToolsOptions, listCallableTools } from "./list-callable-tools.js";
export { RefusedCall } from "./read-arguments.js";
