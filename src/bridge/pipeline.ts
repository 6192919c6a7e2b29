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
import type { CallPlace } from "./journal-calls.js";

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
  readonly place: CallPlace | undefined;
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
  /** Frees the memory that the contents of its handles take. */
  release?: (() => void) | undefined;
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

/** Bounds the number, or the total size, of what is in progress at once. The others wait in order. */
export interface Gate {
  /** Waits for room and returns the function that frees it. What is larger than the whole gate enters alone. */
  readonly enter: (size?: number) => Promise<() => void>;
  /** Runs `work` as soon as there is room. */
  readonly pass: <Result>(work: () => Promise<Result>, size?: number) => Promise<Result>;
  /** What waits never enters. */
  readonly close: () => void;
}

interface Waiting {
  readonly size: number;
  readonly resolve: () => void;
}

export const createGate = (width: number): Gate => {
  let inside = 0;
  let waiting: Waiting[] = [];
  let isClosed = false;

  const hasRoom = (size: number): boolean => !isClosed && (inside === 0 || inside + size <= width);
  const leave = (size: number): void => {
    inside -= size;
    for (let next = waiting[0]; next !== undefined && hasRoom(next.size); next = waiting[0]) {
      waiting.shift();
      inside += next.size;
      next.resolve();
    }
  };
  const enter: Gate["enter"] = async (size = 1) => {
    if (waiting.length === 0 && hasRoom(size)) inside += size;
    else await new Promise<void>((resolve) => waiting.push({ size, resolve }));
    return () => leave(size);
  };
  return {
    enter,
    pass: async (work, size) => {
      const leaveGate = await enter(size);
      try {
        return await work();
      } finally {
        leaveGate();
      }
    },
    close: () => {
      isClosed = true;
      waiting = [];
    },
  };
};
