// Checks what decides how much is deleted: a date or a number that is none must never mean "everything".
import { CoordinatorError } from "../contracts/index.js";

const show = (value: unknown): string => {
  if (value instanceof Date) return "an invalid date";
  return typeof value === "number" ? String(value) : `of type ${typeof value}`;
};

const refuse = (what: string, value: unknown, expected: string): CoordinatorError =>
  new CoordinatorError("USAGE", `Cannot delete by ${what}: it is ${show(value)}, expected ${expected}`);

/** A date that can be compared with. Throws USAGE. */
export const checkDate = (what: string, date: Date): Date => {
  // An invalid date is neither before nor after any other.
  if (date instanceof Date && !Number.isNaN(date.getTime())) return date;
  throw refuse(what, date, "a valid date");
};

/** How many, or how many bytes, may stay. Throws USAGE. */
export const checkBound = (what: string, bound: number): number => {
  if (typeof bound === "number" && bound >= 0) return bound;
  throw refuse(what, bound, "a number of at least 0");
};

const dayMs = 24 * 60 * 60 * 1000;
const maxDays = 36_500;

/** The moment so many days ago. Throws USAGE for what is not between 0, exclusive, and a hundred years. */
export const toDaysAgo = (days: number): Date => {
  if (typeof days === "number" && days > 0 && days <= maxDays) return new Date(Date.now() - days * dayMs);
  throw refuse("age in days", days, `a number above 0, at most ${maxDays}`);
};
