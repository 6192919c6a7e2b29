// Queries a stored value: walks its items one by one, so that only one of them is parsed at a time.
import {
  CoordinatorError,
  isContainer,
  isList,
  type Json,
  type JsonElement,
  largeBytes,
  parseInSteps,
  parseJson,
  readElements,
  readLargeInteger,
  type Steps,
  type StoredConditions,
  type StoredPart,
  type StoredQuery,
  stringifyInSteps,
} from "../../contracts/index.js";
import { followPath, locate, parseValuePath, readTextAt, type Step, tooLarge } from "./page-value.js";

const newline = 10;

/** Renders an item; with `select` only these fields. Throws if it exceeds `maxBytes`. */
const toRender = (
  select: readonly string[] | undefined,
  maxBytes: number,
): ((item: Json) => Steps<string>) => {
  if (select === undefined) return stringifyInSteps;
  checkCount("fields", select.length);
  const fields = [...new Set(select)].map((field) => ({
    name: JSON.stringify(field),
    steps: parseValuePath(field),
  }));
  return function* render(item) {
    const parts: string[] = [];
    let size = 2;
    for (const { name, steps } of fields) {
      const found = yield* followPath(item, steps);
      if (found === undefined) continue;
      const part = `${name}:${yield* stringifyInSteps(found)}`;
      size += part.length + 1;
      if (size > maxBytes) throw tooLarge(maxBytes);
      parts.push(part);
    }
    return `{${parts.join(",")}}`;
  };
};

const isPlain = ({ where, select, offset, limit, count }: StoredQuery): boolean =>
  [where, select, offset, limit, count].every((one) => one === undefined);

export function* queryJson(bytes: Buffer, query: StoredQuery, maxBytes: number): Steps<StoredPart> {
  const { start, inside } = yield* locate(bytes, parseValuePath(query.path ?? ""));
  if (inside === undefined && isPlain(query)) {
    const text = yield* readTextAt(bytes, start);
    if (text.length > maxBytes) throw tooLarge(maxBytes);
    return { format: "json", text };
  }
  if (!isContainer(bytes[start]) || (inside === undefined && !isList(bytes[start])))
    throw new CoordinatorError(
      "ARGUMENTS_INVALID",
      `Cannot query "${query.path ?? ""}": it is not a list, expected the path of a list`,
      { hint: "Call peek(handle): it shows the fields." },
    );
  const isMatch = toMatch(query.where);
  const render = toRender(query.select, maxBytes);
  const { offset = 0, limit = Number.POSITIVE_INFINITY } = query;
  const texts: string[] = [];
  let found = 0;
  let size = 2;
  for (const element of readElements(bytes, { container: start })) {
    yield undefined;
    if (element === undefined) continue;
    const item = yield* readItem(bytes, element);
    if (!(yield* isMatch(item))) continue;
    const value = inside === undefined || inside.length === 0 ? item : yield* followPath(item, inside);
    if (value === undefined) continue;
    found++;
    if (query.count === true || found <= offset) continue;
    const text = yield* render(value);
    size += text.length + 1;
    if (size > maxBytes) throw tooLarge(maxBytes);
    texts.push(text);
    if (texts.length >= limit) break;
  }
  return { format: "json", text: query.count === true ? String(found) : `[${texts.join(",")}]` };
}

function* readItem(bytes: Buffer, { start, end }: JsonElement): Steps<Json> {
  if (end - start > largeBytes) return yield* parseInSteps(bytes, { start });
  return parseJson(bytes.toString("utf8", start, end)) as Json;
}

/** The lines that contain the given words. */
export function* queryText(bytes: Buffer, query: StoredQuery, maxBytes: number): Steps<StoredPart> {
  const { path: wanted = "", offset = 0, limit = Number.POSITIVE_INFINITY, where, select } = query;
  if (where !== undefined || select !== undefined)
    throw new CoordinatorError("ARGUMENTS_INVALID", "Cannot query a text by fields: it only has lines", {
      hint: 'Pass the words that a line must contain: query(handle, "error").',
    });
  const texts: string[] = [];
  let found = 0;
  let size = 2;
  for (let from = 0; from <= bytes.length && texts.length < limit; ) {
    const at = bytes.indexOf(newline, from);
    const end = at === -1 ? bytes.length : at;
    const line = bytes.subarray(from, end);
    from = end + 1;
    yield undefined;
    if (!line.includes(wanted)) continue;
    found++;
    if (query.count === true || found <= offset) continue;
    size += line.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    texts.push(JSON.stringify(line.toString("utf8")));
  }
  return { format: "json", text: query.count === true ? String(found) : `[${texts.join(",")}]` };
}

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
const toMatch = (where: StoredConditions = {}): ((item: Json) => Steps<boolean>) => {
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

const checkCount = (what: "conditions" | "fields", count: number): void => {
  if (count <= maxQueryParts) return;
  throw new CoordinatorError(
    "ARGUMENTS_INVALID",
    `Cannot query by ${count} ${what}: at most ${maxQueryParts} are allowed`,
  );
};
