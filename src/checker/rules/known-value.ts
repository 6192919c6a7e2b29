// What is statically known about a value, for both languages.
import type { Json } from "../../contracts/index.js";

/** Its position in the program. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

export type KnownValue =
  | { readonly kind: "primitive"; readonly value: string | number | boolean | null; readonly node: Place }
  | {
      readonly kind: "object";
      readonly fields: ReadonlyMap<string, { readonly key: Place; readonly value: KnownValue }>;
      /** It may have more entries: a spread, a computed key. */
      readonly isOpen: boolean;
      readonly node: Place;
    }
  | { readonly kind: "array"; readonly items: readonly KnownValue[]; readonly node: Place }
  /** Only its type is known. */
  | { readonly kind: "typed"; readonly type: "string" | "number" | "boolean" | "array"; readonly node: Place }
  /** One of several values. */
  | { readonly kind: "choice"; readonly options: readonly KnownValue[]; readonly node: Place }
  | { readonly kind: "absent"; readonly node: Place }
  | { readonly kind: "open"; readonly node: Place };

const maxOptions = 50;

/** One of these values. Lists and objects are only compared alone; as alternatives they stay open. */
export const toChoice = (given: readonly KnownValue[], node: Place): KnownValue => {
  const [first, ...others] = given;
  if (first !== undefined && others.length === 0) return { ...first, node };
  const options = new Map<unknown, KnownValue>();
  for (const one of given.flatMap((value) => (value.kind === "choice" ? value.options : [value]))) {
    if (one.kind === "primitive") options.set(one.value, one);
    else if (one.kind === "typed") options.set(`any ${one.type}`, one);
    else if (one.kind === "absent") options.set(undefined, one);
    else return { kind: "open", node };
  }
  return options.size === 0 || options.size > maxOptions
    ? { kind: "open", node }
    : { kind: "choice", options: [...options.values()], node };
};

/** The value as JSON; undefined if some of it is open. */
export const toJsonValue = (value: KnownValue): Json | undefined => {
  if (value.kind === "primitive") return value.value;
  if (value.kind === "array") {
    const items = value.items.map(toJsonValue);
    const known = items.filter((item) => item !== undefined);
    return known.length === items.length ? known : undefined;
  }
  if (value.kind !== "object" || value.isOpen) return undefined;
  const entries = [...value.fields].map(([name, field]) => [name, toJsonValue(field.value)] as const);
  const known = entries.filter((entry): entry is readonly [string, Json] => entry[1] !== undefined);
  return known.length === entries.length ? Object.fromEntries(known) : undefined;
};
