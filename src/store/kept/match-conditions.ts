// Whether an item of a kept list fulfils the conditions of a query.
import { CoordinatorError, type Json, type KeptConditions, readLargeInteger } from "../../contracts/index.js";
import { follow, parseKeptPath, type Step } from "./kept-path.js";

type Test = (found: Json | undefined, wanted: Json) => boolean;

const isSame: Test = (found, wanted) =>
  found === wanted ||
  (typeof found === "object" &&
    found !== null &&
    typeof wanted === "object" &&
    JSON.stringify(found) === JSON.stringify(wanted));

type Ordered = number | bigint | string;

const toOrdered = (value: Json | undefined): Ordered | undefined => {
  if (typeof value === "number" || typeof value === "string") return value;
  const digits = readLargeInteger(value);
  return digits === undefined ? undefined : BigInt(digits);
};

/** Numbers by size, texts in the order of their characters; what is of two kinds has no order. */
const inOrder =
  (isTrue: (one: Ordered, other: Ordered) => boolean): Test =>
  (found, wanted) => {
    const [one, other] = [toOrdered(found), toOrdered(wanted)];
    if (one === undefined || other === undefined) return false;
    return (typeof one === "string") === (typeof other === "string") && isTrue(one, other);
  };

const operators: Readonly<Record<string, Test>> = {
  eq: isSame,
  ne: (found, wanted) => !isSame(found, wanted),
  gt: inOrder((one, other) => one > other),
  gte: inOrder((one, other) => one >= other),
  lt: inOrder((one, other) => one < other),
  lte: inOrder((one, other) => one <= other),
  in: (found, wanted) => Array.isArray(wanted) && wanted.some((one) => isSame(found, one)),
  contains: (found, wanted) => {
    if (typeof found === "string" && typeof wanted === "string") return found.includes(wanted);
    return Array.isArray(found) && found.some((one) => isSame(one, wanted));
  },
  exists: (found, wanted) => (found !== undefined && found !== null) === wanted,
};

interface Condition {
  readonly steps: readonly Step[];
  readonly test: Test;
  readonly wanted: Json;
}

const toConditions = (field: string, wanted: Json): readonly Condition[] => {
  const steps = parseKeptPath(field);
  const isPlain = typeof wanted !== "object" || wanted === null || readLargeInteger(wanted) !== undefined;
  if (isPlain || Array.isArray(wanted)) return [{ steps, test: isSame, wanted }];
  return Object.entries(wanted).map(([name, value]) => {
    const test = Object.hasOwn(operators, name) ? operators[name] : undefined;
    if (test !== undefined) return { steps, test, wanted: value };
    throw new CoordinatorError(
      "ARGUMENTS_INVALID",
      `Cannot query by ${JSON.stringify(field)}: there is no comparison ${JSON.stringify(name.slice(0, 50))}`,
      { hint: `Use one of: ${Object.keys(operators).join(", ")}.` },
    );
  });
};

/** Throws ARGUMENTS_INVALID for conditions that are none. */
export const toMatch = (where: KeptConditions = {}): ((item: Json) => boolean) => {
  const conditions = Object.entries(where).flatMap(([field, wanted]) => toConditions(field, wanted));
  return (item) => conditions.every(({ steps, test, wanted }) => test(follow(item, steps), wanted));
};
