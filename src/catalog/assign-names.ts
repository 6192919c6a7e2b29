// Gives every name its own identifier, the same whatever the order the names come in.

interface AssignOptions {
  readonly names: Iterable<string>;
  readonly toIdentifier: (name: string) => string;
}

const compareCodeUnits = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

const toNumbered = (base: string, number: number): string =>
  /\d$/.test(base) ? `${base}_${number}` : `${base}${number}`;

/**
 * Names that are identifiers already keep themselves; of the others that would clash, all but the first get a number.
 * Uniqueness ignores case, because the identifiers become file names too.
 */
export const assignNames = ({ names, toIdentifier }: AssignOptions): ReadonlyMap<string, string> => {
  const sorted = [...new Set(names)].sort(compareCodeUnits);
  const given = new Set(sorted);
  const bases = new Map(sorted.map((name) => [name, toIdentifier(name)]));
  const taken = new Set<string>();
  const assigned = new Map<string, string>();
  // Another's own name is not free: it must keep meaning the other.
  const claim = (name: string, wanted: string): boolean => {
    const isFree = !taken.has(wanted.toLowerCase()) && (wanted === name || !given.has(wanted));
    if (isFree) assigned.set(name, wanted);
    if (isFree) taken.add(wanted.toLowerCase());
    return isFree;
  };
  for (const [name, base] of bases) if (name === base) claim(name, base);
  for (const [name, base] of bases) if (!assigned.has(name)) claim(name, base);
  const lastNumber = new Map<string, number>();
  for (const [name, base] of bases) {
    if (assigned.has(name)) continue;
    const key = base.toLowerCase();
    let number = (lastNumber.get(key) ?? 1) + 1;
    while (!claim(name, toNumbered(base, number))) number += 1;
    lastNumber.set(key, number);
  }
  return assigned;
};
