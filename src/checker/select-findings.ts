// Selects the findings to report.
import type { Finding } from "./check.js";

const maxShown = 5;

const rank = ({ severity }: Finding): number => (severity === "error" ? 0 : 1);

/** Errors first, one per position, and only a few, because a long list does not help. */
export const selectFindings = (findings: readonly Finding[]): readonly Finding[] => {
  const places = new Set<number>();
  return [...findings]
    .sort((one, other) => rank(one) - rank(other) || one.offset - other.offset)
    .filter(({ offset }) => !places.has(offset) && places.add(offset))
    .slice(0, maxShown);
};
