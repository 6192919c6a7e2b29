// Three-valued logic: a condition holds, does not hold, or cannot be decided. What cannot be decided never allows a call.

export type Certainty = "yes" | "no" | "unknown";

export const not = (value: Certainty): Certainty =>
  value === "unknown" ? "unknown" : value === "yes" ? "no" : "yes";

/** One "no" decides; "yes" for an empty list. */
export const every = (values: Iterable<Certainty>): Certainty => {
  let result: Certainty = "yes";
  for (const value of values) {
    if (value === "no") return "no";
    if (value === "unknown") result = "unknown";
  }
  return result;
};

/** One "yes" decides; "no" for an empty list. */
export const some = (values: Iterable<Certainty>): Certainty => {
  let result: Certainty = "no";
  for (const value of values) {
    if (value === "yes") return "yes";
    if (value === "unknown") result = "unknown";
  }
  return result;
};

/** `exact`: certain. `loose`: only equal if case, width or invisible characters are ignored, which the server may or may not do. */
export const fromMatches = (exact: boolean, loose: boolean): Certainty =>
  exact ? "yes" : loose ? "unknown" : "no";
