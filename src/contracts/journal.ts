// The journal of one run: writes calls down as they happen, and answers those that were already made.
import type { GuestAnswer, GuestOrigin } from "./executor.js";
import type { CallDecision, CallEffect, JournalCall } from "./journal-records.js";
import type { Json } from "./json.js";
import type { PeopleAnswer, RunQuestion } from "./questions.js";
import type { RunResult } from "./run.js";

/** A call that a program issues. */
export interface IssuedCall {
  readonly server: string;
  readonly tool: string;
  readonly arguments: Json;
  readonly effect: CallEffect;
  readonly isRaw?: boolean | undefined;
  /** It waits for people, and is not made before it is released. */
  readonly isHeld?: boolean | undefined;
}

/** How a call ended. */
export interface EndedCall {
  readonly decision: CallDecision;
  readonly answer: GuestAnswer;
  readonly durationMs: number;
}

/** The first difference between a program and the journal. */
export interface Difference {
  readonly sequence: number;
  /** Absent if the journal has nothing more. */
  readonly expected?:
    | { readonly server: string; readonly tool: string; readonly argumentHash: string }
    | undefined;
  readonly found: { readonly server: string; readonly tool: string; readonly argumentHash: string };
  /** One sentence for people and models. */
  readonly message: string;
}

/**
 * What happens to an issued call. A call that certainly failed is not binding: the program may do something else instead, and if it
 * did nothing after the failure, the same call is made again. `answered`: use this, do not call. `fresh`: its intent is journaled; make it and journal the answer.
 * `differs` and `uncertain`: nothing was journaled; the run stops unless the choice was made on resume.
 */
export type CallTurn =
  | { readonly kind: "answered"; readonly sequence: number; readonly answer: GuestAnswer }
  | { readonly kind: "fresh"; readonly sequence: number }
  | { readonly kind: "differs"; readonly difference: Difference }
  | {
      readonly kind: "uncertain";
      readonly sequence: number;
      readonly call: JournalCall;
      readonly message: string;
    };

/**
 * The journal of a run. Three ways to open one: a new run writes down every call, a resumed run first answers the calls that were
 * already made, a cassette answers every call and stores nothing. `coordinator/runs` chooses, the bridge passes each call through it.
 */
export interface Journal {
  readonly runId: string;
  /** Called when the program is about to start. Undefined if the run is not journaled: then it is never repeated. */
  readonly start: () => Promise<GuestOrigin | undefined>;
  /**
   * Must be called in the order in which the program issues its calls; `times`: what the program's clock showed since the last call.
   * Throws if the call cannot be journaled, or must not be made because the run differs from its journal: the run stops.
   */
  readonly issue: (
    call: IssuedCall,
    times: readonly string[],
  ) => Promise<Extract<CallTurn, { readonly kind: "answered" | "fresh" }>>;
  /** Journals that a person approved a held call. Once it resolves, the call may be made. */
  readonly release: (sequence: number) => Promise<void>;
  /** Journals an answer. Once it resolves, the program may have it. */
  readonly answer: (sequence: number, ended: EndedCall) => Promise<void>;
  /** What people have answered since the run paused. */
  readonly findAnswer?: ((question: RunQuestion) => PeopleAnswer | undefined) | undefined;
  /** The program is still repeating earlier calls. */
  readonly isReplaying: () => boolean;
  /** Adds what the journal knows: whether the run can be resumed. */
  readonly mark: (result: RunResult) => RunResult;
  /** Stores the result and returns it. `times` is the last reading of the program's clock. */
  readonly end: (result: RunResult, times?: string) => Promise<RunResult>;
  /** Closes the journal without a result. */
  readonly close: () => void;
}
