// Lists from answers: `rows` makes one of any answer, `paginate` one of all pages of a tool. Nothing here knows a server.
import { toJson } from "./to-json.mjs";

const { isArray } = Array;
const { parse } = JSON;
const { keys, entries } = Object;

/** A tool's function → its server and name. */
export const origins = new WeakMap();

const isObject = (value) => typeof value === "object" && value !== null && !isArray(value);

/** The values of a text with one JSON value in each line; undefined if it is another text. */
const readLines = (text) => {
  try {
    return text
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map((line) => parse(line));
  } catch {
    return undefined;
  }
};

/** An answer as a list: a list stays, nothing is an empty list, anything else is its only item. */
export const rows = (answer) => {
  if (answer === null || answer === undefined || answer === "") return [];
  if (isArray(answer)) return answer;
  if (typeof answer === "string") return readLines(answer) ?? [answer];
  if (typeof answer.then === "function")
    throw new TypeError('Cannot list a promise: write "rows(await ...)"');
  return [answer];
};

const plain = (name) => name.toLowerCase().replace(/[^a-z0-9]/g, "");
const words = (text) => new Set(text.split(" "));

const cursorParameters = words(
  "cursor pagetoken nextpagetoken nexttoken nextcursor continuationtoken continuation startingafter startcursor after marker token",
);
const pageParameters = words("page pagenumber pagenum pageno pageindex currentpage");
const offsetParameters = words("offset skip start startindex startat startrow from");
const sizeParameters = words("limit pagesize perpage size count maxresults maxcount first top take rows");
const nextFields = words(
  "nextcursor nextpagetoken nexttoken nextpage continuationtoken continuation endcursor nextmarker nextoffset",
);
const moreFields = words("hasmore hasnextpage hasnext more istruncated truncated");
const totalFields = words("total totalcount totalresults totalitems totalrows");
const pagesFields = words("totalpages pagecount pages lastpage");
const itemFields = "items results data rows records entries values nodes edges list".split(" ");

/** The fields of an answer and of the objects in it, by name without case and marks. */
const readFields = (answer) => {
  const found = new Map();
  if (!isObject(answer)) return found;
  const all = entries(answer);
  for (const [name, value] of all) {
    if (isObject(value))
      for (const [inner, held] of entries(value)) if (!found.has(plain(inner))) found.set(plain(inner), held);
    found.set(plain(name), value);
  }
  return found;
};

const findField = (fields, names, isFit) => {
  for (const [name, value] of fields) if (names.has(name) && isFit(value)) return value;
  return undefined;
};

/** The items of one page: the answer itself, its list under a usual name, or its only list. */
const readItems = (answer) => {
  if (!isObject(answer)) return rows(answer);
  const lists = keys(answer).filter((name) => isArray(answer[name]));
  const name = itemFields.find((one) => lists.includes(one)) ?? (lists.length === 1 ? lists[0] : undefined);
  if (name !== undefined) return answer[name];
  const inner = itemFields.find((one) => isObject(answer[one]));
  return inner === undefined ? [answer] : readItems(answer[inner]);
};

const isNumber = (value) => typeof value === "number";
const isBoolean = (value) => typeof value === "boolean";
const isCursor = (value) => (typeof value === "string" && value !== "") || isNumber(value);

const findName = (properties, given, names) =>
  [...keys(properties), ...keys(given)].find((name) => names.has(plain(name)));

/** The arguments of the next page; undefined after the last one. `seen`: items so far. */
const toNext = (given, properties, answer, items, seen) => {
  const fields = readFields(answer);
  const more = findField(fields, moreFields, isBoolean);
  const next = findField(fields, nextFields, isCursor);
  if (more === false || items.length === 0) return undefined;
  const page = findName(properties, given, pageParameters);
  const offset = findName(properties, given, offsetParameters);
  if (next !== undefined) {
    const name =
      findName(properties, given, cursorParameters) ?? (isNumber(next) ? (page ?? offset) : undefined);
    return name === undefined || given[name] === next ? undefined : { ...given, [name]: next };
  }
  const total = findField(fields, totalFields, isNumber);
  const size = findName(properties, given, sizeParameters);
  const wanted = size === undefined ? undefined : (given[size] ?? properties[size]?.default);
  // Without a word about the rest, a page that is not full is the last one.
  if (more !== true && (total === undefined ? items.length < wanted : seen >= total)) return undefined;
  const usual = (name, fallback) => given[name] ?? properties[name]?.default ?? fallback;
  if (page !== undefined) {
    const at = Number(usual(page, /index/i.test(page) ? 0 : 1));
    const pages = findField(fields, pagesFields, isNumber);
    return pages !== undefined && at >= pages ? undefined : { ...given, [page]: at + 1 };
  }
  return offset === undefined ? undefined : { ...given, [offset]: Number(usual(offset, 0)) + items.length };
};

/** Iterates over the items of all pages. `readSchema`: finds out which parameters a tool has. */
export const createPaginate = (readSchema) =>
  async function* paginate(tool, given = {}) {
    const origin = origins.get(tool);
    const schema = origin === undefined ? undefined : await readSchema(...origin);
    const properties = schema?.properties ?? {};
    let next = given;
    /** @type {string | undefined} */
    let before;
    for (let seen = 0; next !== undefined; ) {
      const answer = await tool(next);
      const text = toJson(answer);
      // A tool that ignores the parameter would return the same page forever.
      if (text === before) return;
      before = text;
      const items = readItems(answer);
      yield* items;
      seen += items.length;
      next = toNext(next, properties, answer, items, seen);
    }
  };
