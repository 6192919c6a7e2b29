// The tools that agents see, on every surface: described, called, rendered.
export { type ClientAnswer, callSurfaceTool, type SurfaceCall } from "./call-lazily.js";
export { describeSurface, readTools, renderInstructions } from "./describe-surface.js";
export type { SurfaceTool } from "./describe-tools.js";
export { type Given, RefusedCall } from "./read-arguments.js";
export { joinTexts, type ShownContent, type ShownResult } from "./render-run.js";
