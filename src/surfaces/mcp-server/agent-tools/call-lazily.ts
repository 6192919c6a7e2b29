// Loads the implementation of the tools on the first call: they are described long before one is called.
import { once, type RunQuestion, type RunRequest, type RunResult } from "../../../contracts/index.js";
import type { Coordinator, ResumeRequest, SurfaceSettings } from "../../../coordinator/index.js";
import type { Given } from "./read-arguments.js";
import type { ShownResult } from "./render-run.js";

/** People's answer to a run; `isLeft`: they closed the form without an answer. */
export type ClientAnswer = ResumeRequest & { readonly isLeft?: boolean | undefined };

/** `Asked` is how a client asks people. */
export interface SurfaceCall<Asked = never> {
  readonly name: string;
  readonly arguments: Given;
  readonly signal: AbortSignal;
  /** Sends the client a progress line, if it wants them. */
  readonly onProgress?: ((line: string) => void) | undefined;
  /** Asks people instead of answering the call. Without it, or if it returns undefined, the model reads the question. */
  readonly ask?: ((result: RunResult, question: RunQuestion) => Promise<Asked> | undefined) | undefined;
  /** People's answer to the question of an earlier call. */
  readonly answered?: ClientAnswer | undefined;
  /** Answers a run's questions while it waits. */
  readonly onQuestion?: RunRequest["onQuestion"] | undefined;
  /** The offered tools. @default the coordinator's */
  readonly surface?: SurfaceSettings | undefined;
}

const loadCall = once(() => import("./call-surface-tool.js"));

/** A tool's failure is a result. Throws RefusedCall for the caller's mistakes. */
export const callSurfaceTool = async <Asked = never>(
  coordinator: Coordinator,
  call: SurfaceCall<Asked>,
): Promise<ShownResult | Asked> => {
  const { performSurfaceCall } = await loadCall();
  return performSurfaceCall(coordinator, call);
};
