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
  type Steps,
  type StoredPart,
  type StoredQuery,
  stringifyInSteps,
} from "../../contracts/index.js";
import { checkCount, toMatch } from "./match-conditions.js";
import { tooLarge } from "./page-value.js";
import { followPath, locate, parseValuePath, readTextAt } from "./value-path.js";

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
