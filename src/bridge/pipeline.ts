// The pipeline of the bridge: every call of a guest passes through one ordered list of middleware.
import type {
  AskedCall,
  CallDecision,
  CallEffect,
  GuestAnswer,
  GuestCall,
  Json,
  Tool,
} from "../contracts/index.js";
import type { JournalPlace } from "./journal-calls.js";

/** What decides whether people must allow a call. */
export type ApprovedTool = Pick<Tool, "server" | "name" | "isReadOnly" | "isDestructive"> & {
  /** Its name in programs. */
  readonly functionName?: string | undefined;
};

/** One call on its way through the pipeline. Each middleware fills in what it knows. */
export interface BridgeCall {
  readonly guest: GuestCall;
  readonly signal: AbortSignal;
  /** Its place in the order of the journal. Undefined without a journal. */
  readonly place: JournalPlace | undefined;
  /** The names in records and in the journal: those that the program wrote, until the call is resolved. */
  server: string;
  tool: string;
  /** Whether the call appears in the run's list of calls. */
  isRecorded: boolean;
  /** The upstream tool that was found, if the call is one of a tool. */
  upstream?: Tool | undefined;
  /** What repeating the call would do. Undefined: the call is not journaled. */
  effect?: CallEffect | undefined;
  /** The arguments as the journal has them. */
  arguments: Json;
  /** What rules on approval look at. Undefined: no rule applies to the call. */
  approved?: ApprovedTool | undefined;
  /** What people see before they allow the call. */
  shown?: AskedCall["arguments"] | undefined;
  decision: CallDecision;
  /** Asks people whether a new call may be made. Undefined: yes. Never resolves while nobody has answered. */
  askFirst?: (() => Promise<GuestAnswer | undefined>) | undefined;
  /** The call itself waits for people. */
  isHeld?: boolean | undefined;
  /** The answer comes from the journal. */
  isReplayed: boolean;
  /** Reads and checks the arguments, where that is not part of `invoke`. */
  prepare?: (() => Promise<void>) | undefined;
  /** Waits for a free slot among the run's calls. */
  isThrottled: boolean;
  /** Carries out the call. */
  invoke: () => Promise<GuestAnswer>;
}

/** Answers a call, or lets the middleware behind it do so. */
export type Middleware = (call: BridgeCall, next: () => Promise<GuestAnswer>) => Promise<GuestAnswer>;

export const runPipeline = (pipeline: readonly Middleware[], call: BridgeCall): Promise<GuestAnswer> => {
  const run = async (at: number): Promise<GuestAnswer> =>
    pipeline[at]?.(call, () => run(at + 1)) ?? call.invoke();
  return run(0);
};

/** Runs `work` as soon as there is a free slot. */
export type Gate = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Lets at most `width` pieces of work run at once. The others wait in order. */
export const createGate = (width: number): Gate => {
  let inside = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (inside >= width) await new Promise<void>((resolve) => waiting.push(resolve));
    inside++;
    try {
      return await work();
    } finally {
      inside--;
      waiting.shift()?.();
    }
  };
};
