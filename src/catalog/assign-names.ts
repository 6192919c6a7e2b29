// Gives every name its own identifier, the same whatever the order the names come in.

interface AssignOptions {
  readonly names: Iterable<string>;
  readonly toIdentifier: (name: string) => string;
}

const compareCodeUnits = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

/**
 * Names that are identifiers already keep themselves; of the others that would clash, later ones get a number.
 * Uniqueness ignores case, because the identifiers become file names too.
 */
export const assignNames = ({ names, toIdentifier }: AssignOptions): ReadonlyMap<string, string> => {
  const sorted = [...new Set(names)].sort(compareCodeUnits);
  const given = new Set(sorted);
  const wanted = sorted.map((name) => ({ name, base: toIdentifier(name) }));
  const inOrder = [
    ...wanted.filter(({ name, base }) => name === base),
    ...wanted.filter(({ name, base }) => name !== base),
  ];
  const taken = new Set<string>();
  const lastNumber = new Map<string, number>();
  const assigned = new Map<string, string>();
  for (const { name, base } of inOrder) {
    let candidate = base;
    let number = lastNumber.get(base) ?? 1;
    // Another's own name is no candidate either: it must keep meaning the other.
    while (taken.has(candidate.toLowerCase()) || (candidate !== name && given.has(candidate))) {
      number += 1;
      candidate = /\d$/.test(base) ? `${base}_${number}` : `${base}${number}`;
    }
    lastNumber.set(base, number);
    taken.add(candidate.toLowerCase());
    assigned.set(name, candidate);
  }
  return assigned;
};
