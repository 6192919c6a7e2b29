// The settings and requests that a surface needs at its start.
import type { OutputMode } from "../contracts/index.js";

export interface OutlineRequest {
  /** Limit of the outline and the frame together. */
  readonly mostTokens: number;
  /** The text that surrounds the outline. */
  readonly frame: string;
}

/** Settings of the tools that agents see. */
export interface SurfaceSettings {
  readonly kind: "default" | "minimal";
  readonly hasCallTool: boolean;
  readonly hasRunPython: boolean;
  readonly hasAddServers: boolean;
  /** The global `memory` is ours, because no server has that name. */
  readonly hasMemory: boolean;
  /** Where people may approve calls. */
  readonly approvals: "anywhere" | "outside";
  /** How a returned value is rendered for a model. */
  readonly output: OutputMode;
  /** How long a client waits for a run before it gets the run's id. */
  readonly answerWithinMs: number;
}
