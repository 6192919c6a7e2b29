// The tools are described long before one is called: what carries a call out is loaded with the first.
import { once, type RunQuestion, type RunRequest, type RunResult } from "../../contracts/index.js";
import type { Coordinator, ResumeRequest, SurfaceSettings } from "../../coordinator/index.js";
import type { Given } from "./read-arguments.js";
import type { ShownResult } from "./render-run.js";

/** What people said to a run; `isLeft`: they closed the form without an answer. */
export type ClientAnswer = ResumeRequest & { readonly isLeft?: boolean | undefined };

/** `Asked` is how a client asks people. */
export interface SurfaceCall<Asked = never> {
  readonly name: string;
  readonly arguments: Given;
  readonly signal: AbortSignal;
  /** Tells the client a line of what is under way, when it wants to know. */
  readonly onProgress?: ((line: string) => void) | undefined;
  /** Puts what a run asks to people, in place of an answer. Without it, or where it answers undefined, the model reads the question. */
  readonly ask?: ((result: RunResult, question: RunQuestion) => Promise<Asked> | undefined) | undefined;
  /** What people said to what a run asked when this call was made before. */
  readonly answered?: ClientAnswer | undefined;
  /** Answers what a run asks while it waits. */
  readonly onQuestion?: RunRequest["onQuestion"] | undefined;
  /** Which tools there are. @default the coordinator's */
  readonly surface?: SurfaceSettings | undefined;
}

const loadCall = once(() => import("./call-surface-tool.js"));

/** A tool's failure is a result. Throws RefusedCall for what the caller did wrong. */
export const callSurfaceTool = async <Asked = never>(
  coordinator: Coordinator,
  call: SurfaceCall<Asked>,
): Promise<ShownResult | Asked> => {
  const { performSurfaceCall } = await loadCall();
  return performSurfaceCall(coordinator, call);
};
