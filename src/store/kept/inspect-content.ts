// What a content is, found once when it is kept: its kind, and how many items, fields or lines it has.
import type { KeptContent, KeptKind } from "../../contracts/index.js";
import { isContainer, isList, NotJson, readElements, skipSpace, skipValue } from "./json-bytes.js";
import { pauseEvery } from "./pause.js";

export interface ContentFacts {
  readonly kind: KeptKind;
  readonly count?: number;
}

const newline = 10;

const inspectJson = async (bytes: Buffer): Promise<ContentFacts> => {
  const start = skipSpace(bytes, 0);
  const pause = pauseEvery();
  let count = 0;
  let end = start;
  if (isContainer(bytes[start])) {
    const elements = readElements(bytes, { container: start });
    let next = elements.next();
    for (; next.done !== true; next = elements.next()) {
      count++;
      await pause(next.value.end);
    }
    end = next.value;
  } else end = skipValue(bytes, start);
  if (skipSpace(bytes, end) < bytes.length) throw new NotJson("something follows it");
  if (isContainer(bytes[start])) return { kind: isList(bytes[start]) ? "list" : "object", count };
  return bytes[start] === 34 ? { kind: "text" } : { kind: "value" };
};

const countLines = (bytes: Buffer): number => {
  if (bytes.length === 0) return 0;
  let count = 1;
  for (let at = bytes.indexOf(newline); at >= 0 && at < bytes.length - 1; at = bytes.indexOf(newline, at + 1))
    count++;
  return count;
};

const inspectText = (bytes: Buffer): ContentFacts => ({ kind: "text", count: countLines(bytes) });

/** Throws NotJson for bytes that are given as JSON and are none. */
export const inspectContent = async (bytes: Buffer, format: KeptContent["format"]): Promise<ContentFacts> => {
  if (format === "bytes") return { kind: "bytes" };
  if (format === "text") return inspectText(bytes);
  try {
    return await inspectJson(bytes);
  } catch (error) {
    if (error instanceof NotJson && format === "either") return inspectText(bytes);
    throw error;
  }
};
