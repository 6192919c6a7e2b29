// The compiler messages that are judged, and why the others are ignored.

/** A group of messages that is judged in the same way. */
export type Family = "property" | "call" | "iterate" | "operator" | "compare" | "argument";

/**
 * All other messages are ignored, because a program with them can still run:
 * values that may be null or undefined (2531–2533, 18046–18049), implicit any (7xxx), names and modules (2304, 2552, 2305,
 * 2307: our own rules know them better), numbers of arguments to the program's own functions (2554, 2555), arithmetic on
 * dates and texts (2362, 2363), types that are not declared (2503, 2749), overloads (2769), unreachable code, `return` at
 * the top level (1108), and every mismatch between the program's own types.
 */
export const families: ReadonlyMap<number, Family> = new Map([
  // The property does not exist. Certain if a server declares the type, or if it is a promise.
  [2339, "property"],
  [2551, "property"],
  // The expression is not callable, or cannot be constructed.
  [2349, "call"],
  [2351, "call"],
  // It cannot be iterated, spread or destructured as a list.
  [2488, "iterate"],
  [2461, "iterate"],
  [2495, "iterate"],
  [2504, "iterate"],
  [2548, "iterate"],
  [2549, "iterate"],
  [2763, "iterate"],
  // An operator on a promise.
  [2365, "operator"],
  [2362, "operator"],
  [2363, "operator"],
  // A comparison that is never true: a warning if a server declares one side.
  [2367, "compare"],
  // A value that does not fit. Certain only in a tool's arguments, and only if no value of its type would fit.
  [2345, "argument"],
  [2322, "argument"],
  [2820, "argument"],
]);
