// The pipeline of the bridge: every call of a guest passes through one ordered list of middleware.
import type {
  AskedCall,
  CallAudit,
  CallDecision,
  CallEffect,
  CallRuling,
  FlowRuling,
  GuestAnswer,
  GuestCall,
  Json,
  OpenInput,
  RecordedInverse,
  RuledTool,
  Tool,
  ToolResult,
} from "../contracts/index.js";
import type { OpenCall } from "./answer-servers.js";
import type { CallPlace } from "./journal-calls.js";

/** What is called. `resolve` finds it, `validate` adds what depends on the arguments. */
interface ResolvedCall {
  /** The names in records and in the journal: those that the program wrote, until the call is resolved. */
  server: string;
  tool: string;
  /** The upstream tool that was found, if the call is one of a tool. */
  upstream?: Tool | undefined;
  /** What was refused before a tool was found. */
  refused?: { readonly tool?: string | undefined } | undefined;
  /** Whether the call appears in the run's list of calls. */
  isRecorded: boolean;
  /** Whether the call waits for a free slot among the run's calls. */
  isThrottled: boolean;
  /** Reads and checks the arguments, where that is not part of `invoke`. */
  prepare?: (() => Promise<void>) | undefined;
  /** Carries out the call. */
  invoke: () => Promise<GuestAnswer>;
  /** The arguments as the journal has them. */
  arguments: Json;
  /** The arguments as people see them before they approve the call. */
  shown?: AskedCall["arguments"] | undefined;
  /** The contents of its handles, and the ids of the stored values. */
  handles?: ReadonlyMap<Json, string> | undefined;
  /** Frees the memory that the contents of its handles take. */
  release?: (() => void) | undefined;
  /** Its answer is stored, and the program gets a handle. */
  isStored?: boolean | undefined;
  /** Whether the call reads or writes. Undefined: it is not journaled. */
  effect?: CallEffect | undefined;
  /** The tool that the policy decides on. Undefined: no rule applies to the call. */
  ruled?: RuledTool | undefined;
  /** The destination that values are sent to, if it is not the server. */
  destination?: string | undefined;
  /** The call itself waits for people. */
  isHeld?: boolean | undefined;
}

/** What the rules say: `checkPrivacy`, `label`, `approve` and the audit. */
interface DecidedCall {
  decision: CallDecision;
  /** The policy's decision on the call. */
  ruling?: CallRuling | undefined;
  /** The policy's decision on the data in the call. Undefined: nothing is labelled. */
  flow?: FlowRuling | undefined;
  /** The guardrail that blocks its arguments. */
  guardrail?: string | undefined;
  /** Guardrails that apply to its arguments and do not block. */
  warned?: readonly string[] | undefined;
  /** The answer to a call that a rule denies. */
  denial?: GuestAnswer | undefined;
  /** Asks people whether a new call may be made. Undefined: yes. Never resolves while nobody has answered. */
  askFirst?: (() => Promise<GuestAnswer | undefined>) | undefined;
  /** Who approved or declined it. */
  approver?: string | undefined;
  /** The audit of the call, from the decision that allows it. Undefined: nothing is recorded. */
  audit?: CallAudit | undefined;
}

/** What happens when the call is made: `journal`, `invert`, `throttle` and `invoke`. */
interface MadeCall {
  /** The answer comes from the journal. */
  isReplayed: boolean;
  /** The answer came from the cache, and no server was called. */
  isCached?: true | undefined;
  /** The input that its server wants, if an earlier attempt made the call. */
  input?: OpenInput | undefined;
  /** Journals the input that its server wants. Undefined without a journal. */
  open?: OpenCall | undefined;
  /** Frees its slot while it waits for people. Otherwise the other calls could never end, and the run never pause. */
  leaveGate?: (() => void) | undefined;
  /** The result of the tool, before it becomes the program's answer. */
  result?: ToolResult | undefined;
  /** How the write is undone, once it was made. */
  inverse?: RecordedInverse | undefined;
}

/** One call in the pipeline. Each middleware adds what it knows. */
export interface BridgeCall extends ResolvedCall, DecidedCall, MadeCall {
  readonly guest: GuestCall;
  readonly signal: AbortSignal;
  /** Its place in the order of the journal. Undefined without a journal. */
  readonly place: CallPlace | undefined;
  /** The policy requires it, not the program: the read before a write. */
  readonly isFromPolicy?: boolean | undefined;
  /** Its place in the run's list of calls. */
  sequence?: number | undefined;
}

/** Whether an earlier attempt may have made the call. The journal then answers it, whatever the rules say now. */
export const isJournaled = ({ place, effect }: BridgeCall): boolean =>
  place !== undefined && effect !== undefined;

/** Answers a call, or passes it to the next middleware. */
export type Middleware = (call: BridgeCall, next: () => Promise<GuestAnswer>) => Promise<GuestAnswer>;

export const runPipeline = (pipeline: readonly Middleware[], call: BridgeCall): Promise<GuestAnswer> => {
  const run = (at: number): Promise<GuestAnswer> => pipeline[at]?.(call, () => run(at + 1)) ?? call.invoke();
  return run(0);
};

/** A semaphore on the number or total size of concurrent work. Further work waits in order. */
export interface Gate {
  /** Waits for room and returns the function that frees it. Work that exceeds the whole capacity enters alone. */
  readonly enter: (size?: number) => Promise<() => void>;
  /** Runs `work` as soon as there is room. */
  readonly pass: <Result>(work: () => Promise<Result>, size?: number) => Promise<Result>;
  /** Waiting work never enters. */
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

  const fits = (size: number): boolean => !isClosed && (inside === 0 || inside + size <= width);
  const leave = (size: number): void => {
    inside -= size;
    for (let next = waiting[0]; next !== undefined && fits(next.size); next = waiting[0]) {
      waiting.shift();
      inside += next.size;
      next.resolve();
    }
  };
  const enter: Gate["enter"] = async (size = 1) => {
    if (waiting.length === 0 && fits(size)) inside += size;
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

/** Limits how many calls of a run are made at once. */
export const toThrottle =
  (gate: Gate): Middleware =>
  async (call, next) => {
    if (!call.isThrottled) return next();
    const leave = await gate.enter();
    let isInside = true;
    call.leaveGate = () => {
      if (isInside) leave();
      isInside = false;
    };
    return next().finally(call.leaveGate);
  };
