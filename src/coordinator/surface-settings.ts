// What a surface needs to know before it shows anything.

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
  readonly hasAddServers: boolean;
  /** The largest answer that goes to a model at once. */
  readonly mostOutputBytes: number;
}
