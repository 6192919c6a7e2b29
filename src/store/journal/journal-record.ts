// Journal records: parses one line of a journal, and hashes the arguments of a call so that equal calls are recognized.
import { hash } from "node:crypto";
import {
  type JournalRecord,
  type Json,
  type JsonObject,
  parseJson,
  readLargeInteger,
} from "../../contracts/index.js";
import { type Fields, isFields, parseFields } from "../json-file.js";

const isText = (value: unknown): value is string => typeof value === "string";
const isCount = (value: unknown): boolean =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0;

/** A file name beside the journal that cannot leave its folder. */
const isStored = (value: unknown): boolean =>
  isFields(value) &&
  isText(value.file) &&
  /^[a-z]+(?:[./][a-z0-9]+){1,3}$/.test(value.file) &&
  isCount(value.bytes);

const isStoredOrNone = (value: unknown): boolean => value === undefined || isStored(value);

const isProgram = (value: unknown): boolean =>
  isFields(value) && isText(value.hash) && (isText(value.text) ? value.file === undefined : isStored(value));

const isAnswer = (value: unknown): boolean => {
  if (!isFields(value)) return false;
  if (value.status === "failed") return isText(value.name) && isText(value.message) && isText(value.code);
  return (
    value.status === "answered" &&
    (value.format === "json" || value.format === "text" || value.format === "either") &&
    (isText(value.body) ? value.file === undefined : isStored(value.file))
  );
};

const checks: { readonly [Type in JournalRecord["type"]]: (record: Fields) => boolean } = {
  started: ({ version, runId, at, language, program, rights }) =>
    version === 1 &&
    isText(runId) &&
    isText(at) &&
    (language === "typescript" || language === "python") &&
    isProgram(program) &&
    isFields(rights),
  resumed: ({ at, attempt, program, rights }) =>
    isText(at) && isCount(attempt) && isProgram(program) && isFields(rights),
  intent: ({ sequence, repeats, server, tool, argumentHash, effect, argumentFile }) =>
    isCount(sequence) &&
    (repeats === undefined || isCount(repeats)) &&
    [server, tool, argumentHash].every(isText) &&
    (effect === "read" || effect === "idempotent" || effect === "write") &&
    isStoredOrNone(argumentFile),
  released: ({ sequence, at }) => isCount(sequence) && isText(at),
  answer: ({ sequence, decision, answer }) =>
    isCount(sequence) &&
    ["allowed", "approved", "denied", "simulated", "captured"].includes(String(decision)) &&
    isAnswer(answer),
  value: ({ name, index, after, value }) =>
    isText(name) && isCount(index) && isCount(after) && value !== undefined,
  forked: ({ abandoned }) => Array.isArray(abandoned) && abandoned.every(isCount),
  paused: ({ at, reason }) => isText(at) && reason !== undefined,
  ended: ({ at, status, resultFile, calls, uncertain, attempts }) =>
    isText(at) &&
    (status === "completed" || status === "failed" || status === "stopped") &&
    [calls, uncertain, attempts].every(isCount) &&
    isStoredOrNone(resultFile),
};

/** The record in a line; undefined if the line is torn or not a record. */
export const parseRecord = (line: string): JournalRecord | undefined => {
  const record = parseFields(line, parseJson);
  if (record === undefined || !isText(record.type) || !Object.hasOwn(checks, record.type)) return undefined;
  const isValid = checks[record.type as JournalRecord["type"]](record);
  return isValid ? (record as unknown as JournalRecord) : undefined;
};

/** Longer texts are hashed without sorting: it would block the host for too long. */
const maxSorted = 256 * 1024;
/** Sorting costs as much as writing so many characters per field. */
const sortCost = 8;

/** JSON with the fields of every object sorted; undefined if it is too long. */
const toSortedText = (value: Json): string | undefined => {
  let left = maxSorted;
  const write = (part: Json): string => {
    if (typeof part === "string") left -= part.length;
    if (left < 0) return "";
    if (typeof part !== "object" || part === null || readLargeInteger(part) !== undefined) {
      const text = JSON.stringify(part);
      left -= text.length;
      return text;
    }
    let text = "";
    if (Array.isArray(part)) {
      for (const item of part) text += text === "" ? write(item) : `,${write(item)}`;
      return `[${text}]`;
    }
    const fields = part as JsonObject;
    const names = Object.keys(fields);
    left -= names.length * sortCost;
    if (left < 0) return "";
    for (const name of names.sort()) {
      const field = fields[name];
      left -= name.length;
      if (field !== undefined) text += `${text === "" ? "" : ","}${JSON.stringify(name)}:${write(field)}`;
    }
    return `{${text}}`;
  };
  const text = write(value);
  return left < 0 ? undefined : text;
};

export interface HashedArguments {
  readonly argumentHash: string;
  /** The hashed text: one line of JSON. */
  readonly text: string;
}

/** The order of fields makes no difference to the hash. */
export const hashArguments = (value: Json): HashedArguments => {
  const text = toSortedText(value) ?? JSON.stringify(value);
  return { argumentHash: hash("sha256", text), text };
};
