// Decides whether an item of a stored list matches the conditions of a query.
import {
  CoordinatorError,
  type Json,
  readLargeInteger,
  type Steps,
  type StoredConditions,
  stringifyInSteps,
} from "../../contracts/index.js";
import { followPath, parseValuePath, type Step } from "./value-path.js";

/** Compares large values in steps. */
type LargeTest = (found: Json | undefined) => Steps<boolean>;
type Test = LargeTest | ((found: Json | undefined) => boolean);

/** Values are equal if their JSON is. */
function* toText(found: Json | undefined): Steps<string | undefined> {
  return found === undefined ? undefined : yield* stringifyInSteps(found);
}

const isSame = (wanted: Json): LargeTest => {
  const text = JSON.stringify(wanted);
  return function* test(found) {
    return (yield* toText(found)) === text;
  };
};

type Ordered = number | bigint | string;

const toOrdered = (value: Json | undefined): Ordered | undefined => {
  if (typeof value === "number" || typeof value === "string") return value;
  const digits = readLargeInteger(value);
  return digits === undefined ? undefined : BigInt(digits);
};

/** Compares numbers by size and texts by their characters; a number and a text have no order. */
const inOrder =
  (isTrue: (one: Ordered, other: Ordered) => boolean) =>
  (wanted: Json): Test => {
    const other = toOrdered(wanted);
    return (found) => {
      const one = toOrdered(found);
      if (one === undefined || other === undefined) return false;
      return (typeof one === "string") === (typeof other === "string") && isTrue(one, other);
    };
  };

const contains = (wanted: Json): Test => {
  const isWanted = isSame(wanted);
  return function* test(found) {
    if (typeof found === "string") return typeof wanted === "string" && found.includes(wanted);
    if (!Array.isArray(found)) return false;
    for (const one of found) {
      if (yield* isWanted(one)) return true;
      yield undefined;
    }
    return false;
  };
};

const isOneOf = (wanted: Json): Test => {
  const texts = new Set(Array.isArray(wanted) ? wanted.map((one) => JSON.stringify(one)) : []);
  return function* test(found) {
    const text = yield* toText(found);
    return text !== undefined && texts.has(text);
  };
};

const operators: Readonly<Record<string, (wanted: Json) => Test>> = {
  eq: isSame,
  ne: (wanted) => {
    const test = isSame(wanted);
    return function* differs(found) {
      return !(yield* test(found));
    };
  },
  gt: inOrder((one, other) => one > other),
  gte: inOrder((one, other) => one >= other),
  lt: inOrder((one, other) => one < other),
  lte: inOrder((one, other) => one <= other),
  in: isOneOf,
  contains,
  exists: (wanted) => (found) => (found !== undefined && found !== null) === wanted,
};

interface Condition {
  readonly steps: readonly Step[];
  readonly test: Test;
}

const toConditions = (field: string, wanted: Json): readonly Condition[] => {
  const steps = parseValuePath(field);
  const isPlain = typeof wanted !== "object" || wanted === null || readLargeInteger(wanted) !== undefined;
  if (isPlain || Array.isArray(wanted)) return [{ steps, test: isSame(wanted) }];
  return Object.entries(wanted).map(([name, value]) => {
    const toTest = Object.hasOwn(operators, name) ? operators[name] : undefined;
    if (toTest !== undefined) return { steps, test: toTest(value) };
    throw new CoordinatorError(
      "ARGUMENTS_INVALID",
      `Cannot query by ${JSON.stringify(field)}: unknown comparison ${JSON.stringify(name.slice(0, 50))}`,
      { hint: `Use one of: ${Object.keys(operators).join(", ")}.` },
    );
  });
};

/** Each part looks at every item. */
const maxQueryParts = 100;

/** Throws ARGUMENTS_INVALID for invalid conditions and for too many. */
export const toMatch = (where: StoredConditions = {}): ((item: Json) => Steps<boolean>) => {
  const conditions = Object.entries(where).flatMap(([field, wanted]) => toConditions(field, wanted));
  checkCount("conditions", conditions.length);
  return function* isMatch(item) {
    for (const { steps, test } of conditions) {
      const verdict = test(yield* followPath(item, steps));
      if (!(typeof verdict === "boolean" ? verdict : yield* verdict)) return false;
    }
    return true;
  };
};

export const checkCount = (what: "conditions" | "fields", count: number): void => {
  if (count <= maxQueryParts) return;
  throw new CoordinatorError(
    "ARGUMENTS_INVALID",
    `Cannot query by ${count} ${what}: at most ${maxQueryParts} are allowed`,
  );
};
