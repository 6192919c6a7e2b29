// Large integers on their way through the SDK's HTTP transports, which parse answers themselves and would round them: they travel as
// texts with a mark that no server can know, and become integers again behind the SDK.
import { randomUUID } from "node:crypto";
import { parseJson, readLargeInteger, toExactInteger } from "../contracts/index.js";
import { toNumberFailure } from "./local-failure.js";

const mark = `large-integer:${randomUUID()}:`;
/** As long as nothing was hidden there is nothing to look for. */
let isUsed = false;

const longDigits = /\d{16}|\d[eE]\+?\d{3}/;
const newline = 10;

/** The same JSON, its large integers as marked texts. What cannot be parsed is left to whoever reads it. */
const hideIn = (text: string): string => {
  try {
    return JSON.stringify(parseJson(text), (_key, value: unknown) => {
      const digits = readLargeInteger(value);
      if (digits === undefined) return value;
      isUsed = true;
      return mark + digits;
    });
  } catch {
    const failure = toNumberFailure(text);
    return failure === undefined ? text : JSON.stringify(failure);
  }
};

const hideInLine = (line: Buffer, isEvents: boolean): Buffer => {
  if (!longDigits.test(line.toString("latin1"))) return line;
  const text = line.toString("utf8");
  if (!isEvents) return Buffer.from(hideIn(text));
  if (!text.startsWith("data:")) return line;
  return Buffer.from(`data: ${hideIn(text.slice(5).trim())}\n`);
};

/** Rewrites a body, event by event or as a whole. It holds one line, or the whole, whose size was bounded before. */
export const hideLargeIntegers = (
  body: ReadableStream<Uint8Array>,
  isEvents: boolean,
): ReadableStream<Uint8Array> => {
  let held: Uint8Array[] = [];
  const take = (): Buffer => {
    const line = Buffer.concat(held);
    held = [];
    return line;
  };
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        let start = 0;
        for (
          let end = isEvents ? chunk.indexOf(newline) : -1;
          end !== -1;
          end = chunk.indexOf(newline, start)
        ) {
          held.push(chunk.subarray(start, end + 1));
          controller.enqueue(hideInLine(take(), isEvents));
          start = end + 1;
        }
        if (start < chunk.length) held.push(chunk.subarray(start));
      },
      flush: (controller) => {
        if (held.length > 0) controller.enqueue(hideInLine(take(), isEvents));
      },
    }),
  );
};

/** The result with its marked texts as integers again. */
export const showLargeIntegers = <Value>(value: Value): Value => (isUsed ? (show(value) as Value) : value);

const show = (value: unknown): unknown => {
  if (typeof value === "string")
    return value.startsWith(mark) ? toExactInteger(BigInt(value.slice(mark.length))) : value;
  if (typeof value !== "object" || value === null || readLargeInteger(value) !== undefined) return value;
  if (Array.isArray(value)) return value.map(show);
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, show(item)]));
};
