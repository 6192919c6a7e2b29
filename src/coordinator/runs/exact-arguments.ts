// Converts JavaScript arguments exactly: integers of any size stay exact or are refused, never rounded.
import {
  CoordinatorError,
  type JsonObject,
  readLargeInteger,
  toExactInteger,
} from "../../contracts/index.js";

/** A number above the safe range was already rounded. A BigInt has every digit. */
const toExact = (value: unknown, what: string): unknown => {
  if (typeof value === "bigint") return toExactInteger(value);
  if (typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value))
    throw new CoordinatorError(
      "ARGUMENTS_INVALID",
      `Cannot ${what}: the number ${value} is rounded, because integers beyond 2^53 lose digits`,
      {
        hint: "Pass a BigInt, or write it in a program: a BigInt in TypeScript and an int in Python keep every digit.",
      },
    );
  if (typeof value !== "object" || value === null || readLargeInteger(value) !== undefined) return value;
  if (Array.isArray(value)) return value.map((item) => toExact(item, what));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, toExact(item, what)]));
};

/** `what` is the action named in the error. Throws ARGUMENTS_INVALID. */
export const toExactArguments = (given: JsonObject, what: string): JsonObject =>
  toExact(given, what) as JsonObject;
