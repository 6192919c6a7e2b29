// The worker thread that hides personal values and applies guardrails in large texts. It has a copy of each map, extended by every message.
import { parentPort } from "node:worker_threads";
import {
  type Guardrail,
  type GuardrailMatch,
  type HiddenKind,
  type HiddenValue,
  hideInText,
  matchGuardrails,
  PrivacyTokenMap,
  type SourceLabels,
  TooManyValues,
} from "../../policy/index.js";

export interface HideTask {
  /** The map to use. */
  readonly map: number;
  /** Values that the copy does not have yet. */
  readonly added: readonly HiddenValue[];
  readonly last: Readonly<Record<string, number>>;
  /** Undefined: only take the values. */
  readonly text?: string | undefined;
  readonly kinds: readonly HiddenKind[];
  readonly scope: string;
  readonly origin: string;
  readonly declared: readonly (readonly [string, HiddenKind])[];
  readonly source?: SourceLabels | undefined;
}

export interface HideReply {
  readonly text?: string | undefined;
  readonly added: readonly HiddenValue[];
  /** Values that were known, and came from this server or with these labels for the first time. */
  readonly touched: readonly (readonly [index: number, labels: readonly string[]])[];
  readonly failure?: "too many" | "failed" | undefined;
}

export interface GuardTask {
  readonly guardrails: readonly Guardrail[];
  readonly text: string;
}

export interface GuardReply {
  /** Undefined: the text could not be read. */
  readonly matches?: readonly GuardrailMatch[] | undefined;
}

const maps = new Map<number, PrivacyTokenMap>();

const work = ({
  map: id,
  added,
  last,
  text,
  kinds,
  declared,
  ...options
}: HideTask): HideReply | undefined => {
  const map = maps.get(id) ?? new PrivacyTokenMap();
  maps.set(id, map);
  for (const value of added) map.add(value);
  map.skipNumbers(last);
  if (text === undefined) return undefined;
  const known = map.size;
  map.changed.clear();
  try {
    const hidden = hideInText(text, map, { ...options, kinds: new Set(kinds), declared: new Map(declared) });
    return {
      text: hidden,
      added: map.list(known),
      touched: [...map.changed]
        .filter((index) => index < known)
        .map((index) => [index, map.list(index, index + 1)[0]?.labels ?? []]),
    };
  } catch (thrown) {
    // The copy may have more than the host now.
    maps.delete(id);
    return { added: [], touched: [], failure: thrown instanceof TooManyValues ? "too many" : "failed" };
  }
};

const guard = ({ guardrails, text }: GuardTask): GuardReply => {
  try {
    return { matches: matchGuardrails(guardrails, text) };
  } catch {
    return {};
  }
};

parentPort?.on("message", (task: HideTask | GuardTask) => {
  const reply = "guardrails" in task ? guard(task) : work(task);
  if (reply !== undefined) parentPort?.postMessage(reply);
});
