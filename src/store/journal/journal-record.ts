// Journal records: parses one line of a journal, hashes the arguments of a call, and refers to texts that are too large for a line.
import { hash } from "node:crypto";
import {
  type AnswerRecord,
  CoordinatorError,
  type Fields,
  type GuestAnswer,
  isFields,
  type Json,
  type JsonObject,
  parseJson,
  type RecordedAnswer,
  type RecordedInverse,
  type RecordedRun,
  type RunReader,
  readLargeInteger,
  type StoredText,
} from "../../contracts/index.js";
import { parseFields } from "../file-io.js";
import type { JournalRecord } from "./fold-journal.js";

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

const isInput = (value: unknown): boolean =>
  isFields(value) &&
  isFields(value.requests) &&
  isFields(value.responses) &&
  (value.state === undefined || isText(value.state));

const isAnswer = (value: unknown): boolean => {
  if (!isFields(value)) return false;
  if (value.status === "failed") return isText(value.name) && isText(value.message) && isText(value.code);
  return (
    value.status === "answered" &&
    (value.format === "json" || value.format === "text" || value.format === "either") &&
    (isText(value.body) ? value.file === undefined : isStored(value.file))
  );
};

const isInverseCall = (value: unknown): boolean =>
  isFields(value) && isText(value.server) && isText(value.tool) && isFields(value.arguments);

const isInverse = (value: unknown): value is RecordedInverse =>
  isFields(value) &&
  (isText(value.missing) ||
    (isInverseCall(value.call) &&
      (value.check === undefined ||
        (isInverseCall(value.check) &&
          isFields(value.check) &&
          Array.isArray(value.check.expect) &&
          value.check.expect.every((one) => isFields(one) && Array.isArray(one.path))))));

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
  intent: ({ sequence, repeats, server, tool, argumentHash, effect, argumentFile, input }) =>
    isCount(sequence) &&
    (repeats === undefined || isCount(repeats)) &&
    [server, tool, argumentHash].every(isText) &&
    (effect === "read" || effect === "idempotent" || effect === "write") &&
    isStoredOrNone(argumentFile) &&
    (input === undefined || isInput(input)),
  released: ({ sequence, at }) => isCount(sequence) && isText(at),
  asked: ({ sequence, at, input }) => isCount(sequence) && isText(at) && isInput(input),
  approved: ({ at, approval }) => isText(at) && isFields(approval),
  answer: ({ sequence, decision, answer, inverse, inverseFile }) =>
    isCount(sequence) &&
    (inverse === undefined || isInverse(inverse)) &&
    isStoredOrNone(inverseFile) &&
    ["allowed", "approved", "denied", "simulated", "captured"].includes(String(decision)) &&
    isAnswer(answer),
  value: ({ name, index, after, value }) =>
    isText(name) && isCount(index) && isCount(after) && value !== undefined,
  printed: ({ line }) => isFields(line) && isText(line.level) && isText(line.text),
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
export const toSortedText = (value: Json): string | undefined => {
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

/** Longest text that the journal itself contains, in characters. */
export const maxInline = 16 * 1024;

/** Where the large texts of one run are stored. */
export interface RunTexts {
  readonly write: (file: string, text: string) => Promise<StoredText>;
  readonly read: (stored: StoredText) => Promise<string>;
}

/** Whether the journal contains the answer itself. */
export const isInline = (answer: GuestAnswer): boolean =>
  answer.status === "failed" || answer.body.length <= maxInline;

/** Stores a large answer as a file and returns what the journal records of it. */
export const storeAnswer = async (
  texts: RunTexts,
  sequence: number,
  answer: GuestAnswer,
): Promise<RecordedAnswer> => {
  if (answer.status === "failed" || isInline(answer)) return answer;
  const { status, format, body } = answer;
  // A server's text may contain lone surrogates, which UTF-8 cannot encode.
  const isQuoted = !body.isWellFormed();
  const stored = await texts.write(
    `answers/${sequence}.${format === "json" || isQuoted ? "json" : "txt"}`,
    isQuoted ? JSON.stringify(body) : body,
  );
  return { status, format, file: { ...stored, isQuoted: isQuoted || undefined } };
};

/** Stores a large inverse as a file. */
export const storeInverse = async (
  texts: RunTexts,
  sequence: number,
  inverse: RecordedInverse | undefined,
): Promise<Partial<Pick<AnswerRecord, "inverse" | "inverseFile">>> => {
  if (inverse === undefined) return {};
  const text = JSON.stringify(inverse);
  if (text.length <= maxInline) return { inverse };
  return { inverseFile: await texts.write(`inverses/${sequence}.json`, text) };
};

export const readRecordedAnswer = async (texts: RunTexts, answer: RecordedAnswer): Promise<GuestAnswer> => {
  if (answer.status === "failed") return answer;
  const { status, format, body, file } = answer;
  if (body !== undefined) return { status, format, body };
  if (file === undefined)
    throw new CoordinatorError("STORE_UNREADABLE", "Cannot read an answer: it has no text");
  const text = await texts.read(file);
  return { status, format, body: file.isQuoted === true ? (JSON.parse(text) as string) : text };
};

/** Reads a journal with its large texts. */
export const openRunReader = (recorded: RecordedRun, texts: RunTexts): RunReader => ({
  recorded,
  readProgram: async () => recorded.program.text ?? texts.read(recorded.program),
  readAnswer: async ({ intent, answer }) => {
    if (answer !== undefined) return readRecordedAnswer(texts, answer.answer);
    throw new CoordinatorError(
      "STORE_UNREADABLE",
      `Cannot read the answer of call ${intent.sequence}: it was lost`,
    );
  },
  readArguments: async ({ intent }) =>
    intent.argumentFile === undefined
      ? (intent.arguments ?? null)
      : (parseJson(await texts.read(intent.argumentFile)) as Json),
  readInverse: async ({ answer }) => {
    if (answer?.inverseFile === undefined) return answer?.inverse;
    const read: unknown = parseJson(await texts.read(answer.inverseFile));
    return isInverse(read) ? read : { missing: "it cannot be read" };
  },
  readResult: async () =>
    recorded.ended?.resultFile === undefined
      ? recorded.ended?.result
      : (parseJson(await texts.read(recorded.ended.resultFile)) as Json),
});
