// What a surface needs to know before it shows anything.
import type { OutputMode } from "../contracts/index.js";

export interface OutlineRequest {
  /** What the outline and the frame may take together. */
  readonly mostTokens: number;
  /** The text that the outline will stand in. */
  readonly frame: string;
}

/** What the configuration says of the tools that agents see. */
export interface SurfaceSettings {
  readonly kind: "default" | "minimal";
  readonly hasCallTool: boolean;
  readonly hasRunPython: boolean;
  readonly hasAddServers: boolean;
  /** The global `memory` is ours: no server has that name. */
  readonly hasMemory: boolean;
  /** Where people may allow calls. */
  readonly approvals: "anywhere" | "outside";
  /** How a returned value is written for a model. */
  readonly output: OutputMode;
  /** How long a client waits for a run before it gets the run's id. */
  readonly answerWithinMs: number;
}
