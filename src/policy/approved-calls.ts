// Approval of a whole program: which manifest entries a call matches, how many calls are left, and what a corrected program adds.
import { hash } from "node:crypto";
import { type Json, type JsonObject, type ManifestCall, toCanonicalJson } from "../contracts/index.js";
import { toLoose } from "./match-text.js";

/** The parts of a call that are compared with a manifest. */
export interface ComparedCall {
  readonly server: string;
  readonly tool: string;
  readonly fingerprint: string;
  readonly arguments: JsonObject;
}

type Entry = Omit<ManifestCall, "isReadOnly" | "effect" | "count" | "line" | "file">;

const isSameTool = (
  one: Pick<Entry, "server" | "tool" | "fingerprint">,
  other: Pick<Entry, "server" | "tool" | "fingerprint">,
): boolean => one.server === other.server && one.tool === other.tool && one.fingerprint === other.fingerprint;

const isEqual = (one: Json, other: Json): boolean => toCanonicalJson(one) === toCanonicalJson(other);

const read = <Value>(
  from: { readonly [name: string]: Value } | undefined,
  name: string,
): Value | undefined => (from !== undefined && Object.hasOwn(from, name) ? from[name] : undefined);

/** The values that an entry allows for an argument; undefined if it names none. */
const listAllowed = (entry: Entry, name: string): readonly Json[] | undefined => {
  const constant = read(entry.constants, name);
  return constant === undefined ? read(entry.choices, name) : [constant];
};

const listFixed = ({ constants, choices = {}, digests = {} }: Entry): readonly string[] => [
  ...Object.keys(constants),
  ...Object.keys(choices),
  ...Object.keys(digests),
];

const mayBeAbsent = (entry: Entry, name: string): boolean =>
  listAllowed(entry, name)?.includes(null) === true;

/** Whether a call matches the entry. Arguments that the entry does not name are refused, unless it allows any. */
export const fitsEntry = (entry: Entry, call: ComparedCall): boolean => {
  if (!isSameTool(entry, call)) return false;
  const given = Object.keys(call.arguments);
  const fixed = listFixed(entry);
  const fits = (name: string): boolean => {
    const value = call.arguments[name] as Json;
    const allowed = listAllowed(entry, name);
    if (allowed !== undefined) return allowed.some((one) => isEqual(one, value));
    const digest = read(entry.digests, name);
    if (digest !== undefined) return hash("sha256", toCanonicalJson(value)) === digest;
    if (entry.open.includes(name)) return true;
    // A server that ignores case could confuse it with the argument that the person saw.
    return entry.isOpen === true && !fixed.some((one) => toLoose(one) === toLoose(name));
  };
  return (
    given.every(fits) &&
    fixed.every((name) => Object.hasOwn(call.arguments, name) || mayBeAbsent(entry, name))
  );
};

/** Whether every call that matches `inner` also matches `outer`. Their counts are compared elsewhere. */
const isWithin = (inner: Entry, outer: Entry): boolean => {
  if (!isSameTool(inner, outer) || (inner.isOpen === true && outer.isOpen !== true)) return false;
  const isNarrower = (name: string): boolean => {
    const [ours, theirs] = [listAllowed(inner, name), listAllowed(outer, name)];
    if (theirs !== undefined)
      return ours?.every((one) => theirs.some((other) => isEqual(one, other))) === true;
    const digest = read(outer.digests, name);
    if (digest !== undefined)
      return (
        read(inner.digests, name) === digest ||
        ours?.every((one) => hash("sha256", toCanonicalJson(one)) === digest) === true
      );
    return (
      outer.open.includes(name) ||
      (outer.isOpen === true && !listFixed(outer).some((one) => toLoose(one) === toLoose(name)))
    );
  };
  const named = [...listFixed(inner), ...inner.open];
  return (
    named.every(isNarrower) &&
    listFixed(outer).every(
      (name) => named.includes(name) || (inner.isOpen !== true && mayBeAbsent(outer, name)),
    )
  );
};

/** The entries that exceed the approval, in what they allow or how often. */
export const findWider = (
  wanted: readonly ManifestCall[],
  approved: readonly ManifestCall[],
): readonly ManifestCall[] => {
  const left = approved.map(({ max }) => max);
  const isSame = (one: ManifestCall, other: ManifestCall): boolean =>
    isWithin(one, other) && isWithin(other, one);
  /** Takes the calls that an entry needs from approved entries; from equal ones first, so that others keep theirs. */
  const take = (entry: ManifestCall): boolean => {
    const fitting = approved
      .flatMap((other, at) => (isWithin(entry, other) ? [{ at, isEqual: isSame(entry, other) }] : []))
      .sort((one, other) => Number(other.isEqual) - Number(one.isEqual));
    let needed = entry.max;
    const taken: [number, number][] = [];
    for (const { at } of fitting) {
      const amount = Math.min(needed, left[at] ?? 0);
      taken.push([at, amount]);
      needed -= amount;
    }
    if (needed > 0) return false;
    for (const [at, amount] of taken) left[at] = (left[at] ?? 0) - amount;
    return true;
  };
  const hasTwin = (entry: ManifestCall): boolean => approved.some((other) => isSame(entry, other));
  const [same, others] = [wanted.filter(hasTwin), wanted.filter((entry) => !hasTwin(entry))];
  const wider = new Set([...same, ...others].filter((entry) => !take(entry)));
  return wanted.filter((entry) => wider.has(entry));
};

/** Counts approved calls. A call that matches several entries never uses up the entry that a later call needs. */
export interface ApprovedCalls {
  /** The ids of the entries that a call fits. */
  readonly find: (call: ComparedCall) => readonly string[];
  /** Uses up one call of these entries; false if none is left. */
  readonly take: (ids: readonly string[]) => boolean;
}

export const openApprovedCalls = (entries: ReadonlyMap<string, ManifestCall>): ApprovedCalls => {
  /** Calls that fit the same entries → how many of them each entry counts. */
  const groups = new Map<
    string,
    { readonly ids: readonly string[]; readonly counted: Map<string, number> }
  >();
  const used = new Map<string, number>();
  const add = (to: Map<string, number>, id: string, amount: number): void =>
    void to.set(id, (to.get(id) ?? 0) + amount);
  const isFree = (id: string): boolean => (used.get(id) ?? 0) < (entries.get(id)?.max ?? 0);

  return {
    find: (call) => [...entries].flatMap(([id, entry]) => (fitsEntry(entry, call) ? [id] : [])),
    /** Augmenting paths (bipartite matching of calls to entries): earlier calls move to other entries if that frees one. */
    take: (given) => {
      const ids = given.filter((id) => entries.has(id));
      const key = ids.join(" ");
      const own = groups.get(key) ?? { ids, counted: new Map<string, number>() };
      groups.set(key, own);
      /** How each entry was reached: by moving one call of a group away from another entry. */
      const from = new Map<string, { readonly group: typeof own; readonly id: string } | undefined>(
        ids.map((id) => [id, undefined]),
      );
      for (const id of from.keys()) {
        if (!isFree(id)) {
          for (const group of groups.values())
            if ((group.counted.get(id) ?? 0) > 0)
              for (const other of group.ids) if (!from.has(other)) from.set(other, { group, id });
          continue;
        }
        add(used, id, 1);
        let at = id;
        for (let step = from.get(at); step !== undefined; step = from.get(at)) {
          add(step.group.counted, at, 1);
          add(step.group.counted, step.id, -1);
          at = step.id;
        }
        add(own.counted, at, 1);
        return true;
      }
      return false;
    },
  };
};
