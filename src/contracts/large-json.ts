// Reads and writes large JSON in steps, so that no size blocks the host.
import { type Json, type JsonObject, parseJson, readLargeInteger } from "./json.js";
import {
  isContainer,
  isList,
  type JsonElement,
  NotJson,
  readElements,
  skipSpace,
  skipValueInSteps,
  stretchBytes,
  type WalkOptions,
} from "./json-bytes.js";
import { finishInSlices, type Steps } from "./turns.js";

/** JSON texts up to this size are parsed at once. That takes a few milliseconds, whatever they contain. */
export const largeBytes = 256 * 1024;

/** Bytes of a text decoded at once. */
const pieceBytes = 1024 * 1024;
const quote = 34;
const backslash = 92;

/** Whether a byte continues a character of UTF-8, which has at most four bytes. More of these in a row are not UTF-8. */
const isContinued = (bytes: Buffer, at: number): boolean => ((bytes[at] ?? 0) & 0xc0) === 0x80;

/** The bytes as a string, which is no longer than they are. */
export function* decodeInSteps(bytes: Buffer, start = 0, end = bytes.length): Steps<string> {
  const pieces: string[] = [];
  for (let from = start; from < end; ) {
    let to = Math.min(from + pieceBytes, end);
    // Do not split a character.
    for (let more = 0; to < end && more < 3 && isContinued(bytes, to); more++) to++;
    pieces.push(bytes.toString("utf8", from, to));
    from = to;
    if (from < end) yield undefined;
  }
  return pieces.join("");
}

/** The last position up to `to` that is neither inside an escape nor inside a character; `from` is such a position. */
const findCut = (bytes: Buffer, from: number, to: number): number => {
  // An escape has at most six bytes.
  for (let at = to - 1; at >= from && at > to - 6; at--) {
    if (bytes[at] !== backslash) continue;
    let first = at;
    while (first > from && bytes[first - 1] === backslash) first--;
    const isStart = (at - first) % 2 === 0;
    return isStart && at + (bytes[at + 1] === 117 ? 6 : 2) > to ? at : to;
  }
  for (let cut = to; cut > to - 4; cut--) if (!isContinued(bytes, cut)) return cut;
  return to;
};

/** The string of a JSON text that begins and ends with a quote. */
export function* readTextInSteps(bytes: Buffer, start: number, end: number): Steps<string> {
  const pieces: string[] = [];
  const last = end - 1;
  for (let from = start + 1; from < last; ) {
    // Joins two halves of a character that were escaped separately.
    const to = from + pieceBytes < last ? findCut(bytes, from, from + pieceBytes) : last;
    pieces.push(JSON.parse(`"${bytes.toString("utf8", from, to)}"`) as string);
    from = to;
    if (from < last) yield undefined;
  }
  return pieces.join("");
}

/** Values created at once: those within this many bytes. */
const batchBytes = stretchBytes / 2;

function* readContainer(bytes: Buffer, container: number, ends: ReadonlyMap<number, number>): Steps<Json> {
  const isOfList = isList(bytes[container]);
  const items: Json[] = [];
  const fields: Record<string, Json> = {};
  const addField = (name: string, value: Json): void => {
    if (name === "__proto__")
      Object.defineProperty(fields, name, { value, enumerable: true, configurable: true, writable: true });
    else fields[name] = value;
  };
  let first: JsonElement | undefined;
  let last: JsonElement | undefined;
  const addBatch = (): void => {
    if (first === undefined || last === undefined) return;
    const text = bytes.toString("utf8", first.keyStart, last.end);
    if (isOfList) for (const item of parseJson(`[${text}]`) as Json[]) items.push(item);
    else
      for (const [name, value] of Object.entries(parseJson(`{${text}}`) as Record<string, Json>))
        addField(name, value);
    first = undefined;
  };
  for (const element of readElements(bytes, { container, ends })) {
    if (element === undefined) yield undefined;
    else if (element.end - element.keyStart > batchBytes) {
      addBatch();
      const { keyStart, keyEnd, start, end } = element;
      const value = yield* readValue(bytes, start, end, ends);
      if (isOfList) items.push(value);
      else addField(yield* readTextInSteps(bytes, keyStart, keyEnd), value);
      yield undefined;
    } else {
      first ??= element;
      last = element;
      if (element.end - first.keyStart <= batchBytes) continue;
      addBatch();
      yield undefined;
    }
  }
  addBatch();
  return isOfList ? items : fields;
}

function* readValue(
  bytes: Buffer,
  start: number,
  end: number,
  ends: ReadonlyMap<number, number>,
): Steps<Json> {
  if (end - start > batchBytes) {
    if (isContainer(bytes[start])) return yield* readContainer(bytes, start, ends);
    if (bytes[start] === quote) return yield* readTextInSteps(bytes, start, end);
  }
  return parseJson(bytes.toString("utf8", start, end)) as Json;
}

/** Remembers the ends of long lists, objects and texts. Finding them again at each level would be quadratic in depth. */
export const noteEnds = (): { readonly ends: Map<number, number>; readonly large: WalkOptions["large"] } => {
  const ends = new Map<number, number>();
  return { ends, large: { bytes: batchBytes, note: (at, end) => void ends.set(at, end) } };
};

/** The value of bytes that were scanned before. */
export const parseWalked = (
  bytes: Buffer,
  { start, end }: { readonly start: number; readonly end: number },
  ends: ReadonlyMap<number, number>,
): Steps<Json> => readValue(bytes, start, end, ends);

/** Like `parseJson`, in steps. Throws NotJson or TooLargeNumber. */
export function* parseInSteps(
  bytes: Buffer,
  { start: from = 0, ...options }: WalkOptions & { readonly start?: number | undefined } = {},
): Steps<Json> {
  const start = skipSpace(bytes, from);
  const { ends, large } = noteEnds();
  const end = yield* skipValueInSteps(bytes, start, { ...options, large });
  if (from === 0 && skipSpace(bytes, end) < bytes.length) throw new NotJson("something follows it");
  return yield* readValue(bytes, start, end, ends);
}

/** Like `parseJson`: at once for a short text, otherwise in slices. The only place that decides which. */
export const readJson = async (text: string): Promise<unknown> =>
  text.length <= largeBytes ? parseJson(text) : finishInSlices(parseInSteps(Buffer.from(text)));

/** Characters encoded at once. */
const pieceLength = 512 * 1024;

/** The text in UTF-8. */
export function* encodeInSteps(text: string): Steps<Buffer> {
  if (text.length <= pieceLength) return Buffer.from(text);
  const pieces: Buffer[] = [];
  for (let from = 0; from < text.length; ) {
    const to = pieceEnd(text, from);
    pieces.push(Buffer.from(text.slice(from, to)));
    from = to;
    yield undefined;
  }
  return Buffer.concat(pieces);
}

/** Values written at once. */
const batchValues = 2000;

/** Characters of a text written at once. */
const charactersPerValue = 256;

/** Whether writing it takes long. */
export const isLargeValue = (value: unknown): boolean => {
  const waiting: unknown[] = [value];
  let seen = 0;
  while (waiting.length > 0) {
    const at = waiting.pop();
    seen += typeof at === "string" ? 1 + at.length / charactersPerValue : 1;
    if (seen > batchValues) return true;
    if (typeof at !== "object" || at === null || readLargeInteger(at) !== undefined) continue;
    for (const key in at) {
      waiting.push((at as Readonly<Record<string, unknown>>)[key]);
      if (waiting.length > batchValues) return true;
    }
  }
  return false;
};

/** Where to cut a text so that no character is split. */
const pieceEnd = (text: string, from: number): number => {
  const to = Math.min(from + pieceLength, text.length);
  return (text.charCodeAt(to - 1) & 0xfc00) === 0xd800 ? to + 1 : to;
};

function* quoteInSteps(text: string): Steps<string> {
  const pieces: string[] = [];
  for (let from = 0; from < text.length; from = pieceEnd(text, from)) {
    pieces.push(JSON.stringify(text.slice(from, pieceEnd(text, from))).slice(1, -1));
    yield undefined;
  }
  return `"${pieces.join("")}"`;
}

/** Like `JSON.stringify`, in steps. */
export function* stringifyInSteps(value: Json): Steps<string> {
  if (!isLargeValue(value)) return JSON.stringify(value);
  if (typeof value === "string") return yield* quoteInSteps(value);
  const parts: string[] = [];
  for (const name in value as JsonObject) {
    const item = (value as JsonObject)[name];
    if (item === undefined) continue;
    const text = yield* stringifyInSteps(item);
    parts.push(Array.isArray(value) ? text : `${JSON.stringify(name)}:${text}`);
    yield undefined;
  }
  return Array.isArray(value) ? `[${parts.join(",")}]` : `{${parts.join(",")}}`;
}
