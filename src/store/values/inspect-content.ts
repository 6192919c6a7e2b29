// What is kept: its kind, and how many items, fields or lines it has.
import {
  isContainer,
  isList,
  type KeptContent,
  type KeptKind,
  NotJson,
  readElements,
  type Steps,
  skipSpace,
  skipValueInSteps,
  TooLargeNumber,
} from "../../contracts/index.js";

export interface ContentFacts {
  readonly kind: KeptKind;
  readonly count?: number;
}

const newline = 10;

function* inspectJson(bytes: Buffer): Steps<ContentFacts> {
  const start = skipSpace(bytes, 0);
  let count = 0;
  let end: number;
  if (isContainer(bytes[start])) {
    const elements = readElements(bytes, { container: start });
    let next = elements.next();
    for (; next.done !== true; next = elements.next()) {
      if (next.value !== undefined) count++;
      yield undefined;
    }
    end = next.value;
  } else end = yield* skipValueInSteps(bytes, start);
  if (skipSpace(bytes, end) < bytes.length) throw new NotJson("something follows it");
  if (isContainer(bytes[start])) return { kind: isList(bytes[start]) ? "list" : "object", count };
  return bytes[start] === 34 ? { kind: "text" } : { kind: "value" };
}

function* inspectText(bytes: Buffer): Steps<ContentFacts> {
  let count = bytes.length === 0 ? 0 : 1;
  for (
    let at = bytes.indexOf(newline);
    at >= 0 && at < bytes.length - 1;
    at = bytes.indexOf(newline, at + 1)
  ) {
    count++;
    yield undefined;
  }
  return { kind: "text", count };
}

/** A number that JavaScript cannot hold is none that could be read again. */
export const isNotJson = (error: unknown): boolean =>
  error instanceof NotJson || error instanceof TooLargeNumber;

/** Throws what `isNotJson` tells for bytes that are given as JSON and are none. */
export function* inspectContent(bytes: Buffer, format: KeptContent["format"]): Steps<ContentFacts> {
  if (format === "bytes") return { kind: "bytes" };
  if (format === "text") return yield* inspectText(bytes);
  try {
    return yield* inspectJson(bytes);
  } catch (error) {
    if (isNotJson(error) && format === "either") return yield* inspectText(bytes);
    throw error;
  }
}
