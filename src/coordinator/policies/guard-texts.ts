// Applies the guardrails of the policy to texts: programs, what servers get, and what models and people read.
import {
  type CallAudit,
  type Configuration,
  CoordinatorError,
  type Json,
  oncePer,
  type RuledTool,
  type RuleName,
  ServerRefusal,
  toCoordinatorError,
} from "../../contracts/index.js";
import {
  countReadings,
  type GuardedPlace,
  type Guardrail,
  type GuardrailMatch,
  matchGuardrails,
  type Policy,
} from "../../policy/index.js";
import { matchInWorker } from "./hide-in-worker.js";
import { readPolicies } from "./open-policies.js";

export interface GuardrailHit {
  readonly guardrail: Guardrail;
  /** Where in the text. */
  readonly at: number;
  /** The text is too large to be checked. */
  readonly isUnread?: true | undefined;
}

type Configured = Pick<Configuration, "policies">;

const listByPlace = oncePer(
  (policies: readonly Policy[]): Readonly<Record<GuardedPlace, readonly Guardrail[]>> => {
    const all = policies.flatMap(({ guardrails }) => guardrails);
    const listOn = (place: GuardedPlace) => all.filter(({ on }) => on.includes(place));
    return { code: listOn("code"), input: listOn("input"), output: listOn("output") };
  },
);

/** The guardrails of all policies: no policy can remove one of another. */
export const listGuardrails = (configuration: Configured, place: GuardedPlace): readonly Guardrail[] =>
  listByPlace(readPolicies(configuration))[place];

/** Steps, at most 70 ms for the slowest patterns. What takes longer is read in a thread. */
const maxOwnSteps = 2_000_000;
/** Beyond this, a text counts as matched by all. */
const maxLength = 16 * 1024 * 1024;

const toHits = (guardrails: readonly Guardrail[], matches: readonly GuardrailMatch[]) =>
  matches.flatMap(({ index, at }): readonly GuardrailHit[] => {
    const guardrail = guardrails[index];
    return guardrail === undefined ? [] : [{ guardrail, at }];
  });

const toUnread = (guardrails: readonly Guardrail[]): readonly GuardrailHit[] =>
  guardrails.map((guardrail) => ({ guardrail, at: 0, isUnread: true }));

const isSmall = (guardrails: readonly Guardrail[], text: string): boolean =>
  text.length * countReadings(text) * guardrails.reduce((sum, { cost }) => sum + cost, 0) <= maxOwnSteps;

/** For texts that cannot wait. One that is not small counts as matched. */
export const findHitsNow = (guardrails: readonly Guardrail[], text: string): readonly GuardrailHit[] =>
  isSmall(guardrails, text) ? toHits(guardrails, matchGuardrails(guardrails, text)) : toUnread(guardrails);

/** What cannot be read counts as matched. */
export const findHits = async (
  guardrails: readonly Guardrail[],
  value: Json,
): Promise<readonly GuardrailHit[]> => {
  if (guardrails.length === 0) return [];
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (text.length > maxLength) return toUnread(guardrails);
  try {
    const matches = isSmall(guardrails, text)
      ? matchGuardrails(guardrails, text)
      : await matchInWorker(guardrails, text);
    return toHits(guardrails, matches);
  } catch {
    return toUnread(guardrails);
  }
};

const isBlocking = ({ guardrail }: GuardrailHit): boolean => guardrail.mode === "block";

const describe = ({ guardrail: { name, because, mode }, isUnread }: GuardrailHit): string =>
  `the guardrail "${name}" ${mode === "block" ? "blocks it" : "applies"}${
    isUnread === true ? ", because it is too large to be read" : ""
  }${because === undefined ? "" : `: ${because}`}`;

/** The error for what a guardrail blocks. It never contains the pattern: a program could work around it. */
export const blockedBy = (what: string, hit: GuardrailHit, details: object = {}): CoordinatorError =>
  new CoordinatorError("GUARDRAIL_BLOCKED", `Cannot ${what}: ${describe(hit)}`, {
    details: { guardrail: hit.guardrail.name, ...details },
  });

/** What a model and a person read of a guardrail that does not block. */
export const warnOf = (what: string, hit: GuardrailHit): string =>
  `Warning: ${describe(hit).replace(" applies", ` applies to ${what}`)}`;

/** The guardrail that blocks, or those that only warn. */
export const judge = (hits: readonly GuardrailHit[]) => {
  const blocking = hits.find(isBlocking);
  return { blocking, warning: blocking === undefined ? hits : [] };
};

/** A guardrail applies and does not block. */
export type OnWarning = (rule: RuleName, text: string) => void | Promise<void>;

/** Throws GUARDRAIL_BLOCKED if a server must not get this. */
export const guardInput = async (
  configuration: Configured,
  { server, name }: RuledTool,
  value: Json,
  onWarning?: OnWarning,
): Promise<void> => {
  const hits = await findHits(listGuardrails(configuration, "input"), value);
  const { blocking, warning } = judge(hits);
  if (blocking !== undefined) throw blockedBy(`call "${server}.${name}"`, blocking);
  for (const hit of warning)
    await onWarning?.(hit.guardrail, warnOf(`the input of "${server}.${name}"`, hit));
};

/** All texts of an error that are shown. */
export const toErrorTexts = (thrown: unknown): Json => {
  if (thrown instanceof ServerRefusal) return [thrown.message, (thrown.data ?? null) as Json];
  const { message, hint, details } = toCoordinatorError(thrown);
  return [message, hint, (details ?? null) as Json];
};

/** A text for people or models, and the audit of the guardrails on it. */
export interface Shown {
  /** In words: the answer of "crm.list". */
  readonly what: string;
  /** JSON may also be given as text. */
  readonly value: Json;
  readonly audit?: Pick<CallAudit, "noteGuardrail"> | undefined;
}

/** Throws GUARDRAIL_BLOCKED if nobody may read this. Otherwise resolves to warnings. */
export const guardOutput = async (
  configuration: Configured,
  { what, value, audit }: Shown,
): Promise<readonly string[]> => {
  const hits = await findHits(listGuardrails(configuration, "output"), value);
  const { blocking, warning } = judge(hits);
  if (blocking !== undefined) {
    const code = "GUARDRAIL_BLOCKED";
    await audit?.noteGuardrail({ decision: "denied", rule: blocking.guardrail.name, code });
    throw blockedBy(`show ${what}`, blocking);
  }
  for (const { guardrail } of warning)
    await audit?.noteGuardrail({ decision: "warned", rule: guardrail.name });
  return warning.map((hit) => warnOf(what, hit));
};
