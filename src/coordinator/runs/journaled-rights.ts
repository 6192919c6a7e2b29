// What a journal stores of a request, and what each way to continue a run inherits. Every key of a request is listed here.
import type { JsonObject, RunRequest } from "../../contracts/index.js";

/** How a run continues: from its journal, as a committed plan, or from a recording. */
export type Continuation = "resume" | "commit" | "replay";

type Carried = { readonly [Key in Continuation]: true | `no: ${string}` };

const everywhere: Carried = { resume: true, commit: true, replay: true };

/** A new key of `RunRequest` does not compile until this table says whether it is inherited. */
export const requestKeys: Readonly<Record<keyof RunRequest, Carried | `not kept: ${string}`>> = {
  servers: everywhere,
  approve: everywhere,
  limits: everywhere,
  agentLimits: everywhere,
  isCaller: { ...everywhere, replay: "no: whoever replays a recording is not the caller of then" },
  simulate: { ...everywhere, commit: "no: a plan made under simulate is refused" },
  profile: { ...everywhere, replay: "no: it may not exist there, and nothing can be reached" },
  mode: { ...everywhere, commit: "no: a commit makes the calls that the plan only listed" },
  isChecked: {
    resume: true,
    commit: "no: its program is made from the plan",
    replay: "no: it was checked when it was recorded",
  },
  staysWithinManifest: {
    resume: true,
    commit: "no: it makes the calls of the plan and no other",
    replay: "no: it needs the check",
  },
  description: everywhere,
  code: "not kept: the journal has the program beside the rights",
  language: "not kept: the journal has it beside the rights",
  session: "not kept: the journal has it beside the rights; a commit runs outside of it",
  workspace: "not kept: the journal lies in it, so whoever finds the run has named it",
  output: "not kept: how the result is written is up to whoever reads it",
  countTokens: "not kept: what is counted is up to whoever reads it",
  signal: "not kept: it belongs to the caller",
  onLog: "not kept: it belongs to the caller",
  onCall: "not kept: it belongs to the caller",
  onProgress: "not kept: it belongs to the caller",
  onQuestion: "not kept: it belongs to the caller",
};

const listKeys = (isWanted: (carried: Carried) => boolean): readonly (keyof RunRequest)[] =>
  Object.entries(requestKeys).flatMap(([key, carried]) =>
    typeof carried !== "string" && isWanted(carried) ? [key as keyof RunRequest] : [],
  );

const kept = listKeys(() => true);
const taken: Readonly<Record<Continuation, readonly (keyof RunRequest)[]>> = {
  resume: listKeys(({ resume }) => resume === true),
  commit: listKeys(({ commit }) => commit === true),
  replay: listKeys(({ replay }) => replay === true),
};

const pick = (from: object, keys: readonly string[]): object =>
  Object.fromEntries(
    Object.entries(from).filter(([key, value]) => value !== undefined && keys.includes(key)),
  );

/** The rights of a run as its journal stores them. */
export const toJournaledRights = (request: RunRequest): JsonObject =>
  // A JSON copy, so that later changes by the caller do not affect the run.
  JSON.parse(JSON.stringify(pick(request, kept))) as JsonObject;

/** The part of a request that a journal restores. Unknown keys are dropped. */
export const fromJournaledRights = (
  rights: JsonObject,
  continuation: Continuation,
): Partial<Omit<RunRequest, "code">> => pick(rights, taken[continuation]);
