// What a journal stores of a request, and what each way to continue a run inherits. Every key of a request is listed here.
import type { JsonObject, RunRequest } from "../../contracts/index.js";

/** How a run continues: from its journal, as a committed plan, from a recording, or as the undo of its calls. */
export type Continuation = "resume" | "commit" | "replay" | "undo";

type Carried = { readonly [Key in Continuation]: true | `no: ${string}` };

const everywhere: Carried = { resume: true, commit: true, replay: true, undo: true };
const ownProgram = "no: its program is made from the journal";

/** A new key of `RunRequest` does not compile until this table says whether it is inherited. */
export const requestKeys: Readonly<Record<keyof RunRequest, Carried | `not stored: ${string}`>> = {
  servers: everywhere,
  approve: everywhere,
  limits: { ...everywhere, undo: "no: they were meant for another program" },
  agentLimits: { ...everywhere, undo: "no: they were meant for another program" },
  isCaller: { ...everywhere, replay: "no: the person who replays a recording is not the original caller" },
  caller: { ...everywhere, replay: "no: the person who replays a recording is not the original caller" },
  simulate: {
    ...everywhere,
    commit: "no: a plan made under simulate is refused",
    undo: "no: only calls that were really made are undone",
  },
  profile: { ...everywhere, replay: "no: it may not exist there, and nothing can be reached" },
  mode: {
    ...everywhere,
    commit: "no: a commit makes the calls that the plan only listed",
    undo: "no: only calls that were really made are undone",
  },
  isChecked: {
    resume: true,
    commit: "no: its program is made from the plan",
    replay: "no: it was checked when it was recorded",
    undo: ownProgram,
  },
  staysWithinManifest: {
    resume: true,
    commit: "no: it makes the calls of the plan and no other",
    replay: "no: it needs the check",
    undo: ownProgram,
  },
  undoes: {
    resume: true,
    commit: "no: an undo is no plan",
    replay: "no: a recording undoes nothing",
    undo: "no: an undo is not undone",
  },
  description: { ...everywhere, undo: "no: it describes another program" },
  code: "not stored: the journal has the program beside the rights",
  language: "not stored: the journal has it beside the rights",
  session: "not stored: the journal has it beside the rights; a commit runs outside of it",
  workspace:
    "not stored: the journal is inside the workspace, so a request that finds the run has already named it",
  output: "not stored: how the result is written is up to the reader",
  countTokens: "not stored: what is counted is up to the reader",
  signal: "not stored: it belongs to the caller",
  isBackground: "not stored: who follows the run may change with each attempt",
  onStart: "not stored: it belongs to the caller",
  onLog: "not stored: it belongs to the caller",
  onCall: "not stored: it belongs to the caller",
  onProgress: "not stored: it belongs to the caller",
  onQuestion: "not stored: it belongs to the caller",
  conversation: "not stored: it belongs to the caller",
  canSample: "not stored: it belongs to the caller",
};

const listKeys = (isWanted: (carried: Carried) => boolean): readonly (keyof RunRequest)[] =>
  Object.entries(requestKeys).flatMap(([key, carried]) =>
    typeof carried !== "string" && isWanted(carried) ? [key as keyof RunRequest] : [],
  );

const stored = listKeys(() => true);
const taken: Readonly<Record<Continuation, readonly (keyof RunRequest)[]>> = {
  resume: listKeys(({ resume }) => resume === true),
  commit: listKeys(({ commit }) => commit === true),
  replay: listKeys(({ replay }) => replay === true),
  undo: listKeys(({ undo }) => undo === true),
};

const pick = (from: object, keys: readonly string[]): object =>
  Object.fromEntries(
    Object.entries(from).filter(([key, value]) => value !== undefined && keys.includes(key)),
  );

/** The rights of a run as its journal stores them. */
export const toJournaledRights = (request: RunRequest): JsonObject =>
  // A JSON copy, so that later changes by the caller do not affect the run.
  JSON.parse(JSON.stringify(pick(request, stored))) as JsonObject;

/** The part of a request that a journal restores. Unknown keys are dropped. */
export const fromJournaledRights = (
  rights: JsonObject,
  continuation: Continuation,
): Partial<Omit<RunRequest, "code">> => pick(rights, taken[continuation]);
