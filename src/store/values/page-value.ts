// Paths into a stored value (`data.rows[0]`, `items[*].name`), and pages of it, copied from its bytes without parsing.
import {
  CoordinatorError,
  decodeInSteps,
  isContainer,
  isList,
  type Json,
  readElements,
  type Steps,
  type StoredPage,
  type StoredPart,
  skipSpace,
  skipValueInSteps,
} from "../../contracts/index.js";

/** The step `[*]`: into every item. */
const every = Symbol("every");
export type Step = string | number | typeof every;

const piece = /\.?([^.[\]"]+)|\[(\d+)\]|\[(\*?)\]|\[("(?:[^"\\]|\\.)*")\]/y;
const maxSteps = 50;

/** Throws ARGUMENTS_INVALID if the text is not a path. */
export const parseValuePath = (path: string): readonly Step[] => {
  const text = path.trim().replace(/^\$(?=[.[]|$)\.?/, "");
  const steps: Step[] = [];
  piece.lastIndex = 0;
  while (piece.lastIndex < text.length && steps.length <= maxSteps) {
    const [found, name, index, all, quoted] = piece.exec(text) ?? [];
    if (found === undefined) break;
    if (name !== undefined) steps.push(name);
    else if (index !== undefined) steps.push(Number(index));
    else if (all !== undefined) steps.push(every);
    else steps.push(toName(quoted ?? '""'));
  }
  if ((text === "" || piece.lastIndex === text.length) && steps.length <= maxSteps) return steps;
  throw new CoordinatorError(
    "ARGUMENTS_INVALID",
    `Cannot read the path ${JSON.stringify(path.slice(0, 100))}: expected names, [0] and [*], such as "items[*].name"`,
  );
};

const toName = (quoted: string): string => {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return quoted.slice(1, -1);
  }
};

/** The value that the path leads to; with `[*]` the list of all of them. Undefined if there is none. */
export function* followPath(value: Json, path: readonly Step[]): Steps<Json | undefined> {
  let found: Json | undefined = value;
  for (const [at, step] of path.entries()) {
    if (typeof found !== "object" || found === null) return undefined;
    if (step === every) {
      const items: Json[] = [];
      const rest = path.slice(at + 1);
      for (const item of Array.isArray(found) ? found : Object.values(found)) {
        const inside = yield* followPath(item, rest);
        // A list of lists becomes one list.
        if (Array.isArray(inside)) for (const one of inside) items.push(one);
        else if (inside !== undefined) items.push(inside);
        yield undefined;
      }
      return items;
    }
    const inside = found as Readonly<Record<string | number, Json>>;
    found = Object.hasOwn(inside, step) ? inside[step] : undefined;
  }
  return found;
}

interface Located {
  readonly start: number;
  /** The steps after `[*]`; undefined if the path has no such step. */
  readonly inside?: readonly Step[] | undefined;
}

const notFound = (what: string): CoordinatorError =>
  new CoordinatorError("ARGUMENTS_INVALID", `Cannot follow the path: ${what}`, {
    hint: "Call peek(handle): it shows the fields.",
  });

function* enter(bytes: Buffer, container: number, step: string | number): Steps<number> {
  if (!isContainer(bytes[container])) throw notFound(`a single value has no ${JSON.stringify(step)}`);
  if (isList(bytes[container]) !== (typeof step === "number"))
    throw notFound(
      typeof step === "number"
        ? `an object has no [${step}]`
        : `a list has no field ${JSON.stringify(step)}; use [*] for every item`,
    );
  let index = 0;
  for (const element of readElements(bytes, { container })) {
    yield undefined;
    if (element === undefined) continue;
    const isFound =
      typeof step === "number"
        ? index++ === step
        : JSON.parse(bytes.toString("utf8", element.keyStart, element.keyEnd)) === step;
    if (isFound) return element.start;
  }
  throw notFound(typeof step === "number" ? `there is no item ${step}` : `there is no field "${step}"`);
}

/** Finds a value inside JSON bytes without parsing them. Throws ARGUMENTS_INVALID if there is none. */
export function* locate(bytes: Buffer, steps: readonly Step[]): Steps<Located> {
  let start = skipSpace(bytes, 0);
  for (const [at, step] of steps.entries()) {
    if (step === every) return { start, inside: steps.slice(at + 1) };
    start = yield* enter(bytes, start, step);
  }
  return { start };
}

/** The JSON text of the value that starts there. */
export function* readTextAt(bytes: Buffer, start: number): Steps<string> {
  return yield* decodeInSteps(bytes, start, yield* skipValueInSteps(bytes, start));
}

const defaultLimit = 100;
const newline = 10;

export const tooLarge = (maxBytes: number): CoordinatorError =>
  new CoordinatorError(
    "LIMIT_ANSWER",
    `Cannot return that part of the stored value: it has more than ${maxBytes} bytes`,
    { hint: "Ask for less with limit, select or a path, or pass the handle itself to a tool." },
  );

const toWhole = (value: number | undefined, fallback: number): number =>
  value === undefined || !Number.isFinite(value) ? fallback : Math.max(0, Math.floor(value));

/** Where the next page of the same list begins, so that reading all pages reads each byte once. */
export interface PageMark {
  readonly next: number;
  readonly at: number;
}

export function* pageJson(
  bytes: Buffer,
  { path = "", ...asked }: StoredPage,
  { maxBytes, mark }: { readonly maxBytes: number; readonly mark: PageMark | undefined },
): Steps<{ readonly part: StoredPart; readonly mark?: PageMark | undefined }> {
  const steps = parseValuePath(path);
  if (steps.includes(every))
    throw new CoordinatorError(
      "ARGUMENTS_INVALID",
      `Cannot page through "${path}": it leads to many values, expected the path of one list or object`,
    );
  const { start } = yield* locate(bytes, steps);
  if (!isContainer(bytes[start])) return { part: { format: "json", text: yield* readTextAt(bytes, start) } };
  const offset = toWhole(asked.offset, 0);
  const limit = toWhole(asked.limit, defaultLimit);
  const isKnown = mark !== undefined && mark.next <= offset;
  let index = isKnown ? mark.next : 0;
  const texts: string[] = [];
  let size = 2;
  const elements = readElements(bytes, { container: start, at: isKnown ? mark.at : undefined });
  for (const element of elements) {
    yield undefined;
    if (element === undefined) continue;
    const { keyStart, end } = element;
    if (index >= offset + limit)
      return { part: join(bytes, start, texts), mark: { next: index, at: keyStart } };
    if (index >= offset) {
      size += end - keyStart + 1;
      if (size > maxBytes) throw tooLarge(maxBytes);
      texts.push(yield* decodeInSteps(bytes, keyStart, end));
    }
    index++;
  }
  return { part: join(bytes, start, texts) };
}

const join = (bytes: Buffer, start: number, texts: readonly string[]): StoredPart => ({
  format: "json",
  text: isList(bytes[start]) ? `[${texts.join(",")}]` : `{${texts.join(",")}}`,
});

export function* pageText(bytes: Buffer, asked: StoredPage, maxBytes: number): Steps<StoredPart> {
  const offset = toWhole(asked.offset, 0);
  const from = yield* skipLines(bytes, 0, offset);
  const to = yield* skipLines(bytes, from, toWhole(asked.limit, defaultLimit));
  if (to - from > maxBytes) throw tooLarge(maxBytes);
  const end = to > from && bytes[to - 1] === newline ? to - 1 : to;
  return { format: "text", text: yield* decodeInSteps(bytes, from, end) };
}

function* skipLines(bytes: Buffer, from: number, lines: number): Steps<number> {
  let at = from;
  for (let left = lines; left > 0 && at < bytes.length; left--) {
    const end = bytes.indexOf(newline, at);
    at = end < 0 ? bytes.length : end + 1;
    yield undefined;
  }
  return at;
}

/** Bytes as Base64. */
export const pageBytes = (bytes: Buffer, asked: StoredPage, maxBytes: number): StoredPart => {
  const offset = toWhole(asked.offset, 0);
  const found = bytes.subarray(offset, offset + toWhole(asked.limit, bytes.length));
  if (found.length * 1.4 > maxBytes) throw tooLarge(maxBytes);
  return { format: "text", text: found.toString("base64") };
};
