// The records of a journal: their types, how a line is parsed, and the hash by which a call is recognized.
import { hash } from "node:crypto";
import {
  type AnswerRecord,
  type EndedRecord,
  type Fields,
  type IntentRecord,
  isFields,
  type Json,
  type JsonObject,
  type LogLine,
  type OpenInput,
  type PausedRecord,
  type ProcessIdentity,
  parseJson,
  type RecordedInverse,
  readLargeInteger,
  type StartedRecord,
  type StoredProgram,
  type ValueRecord,
} from "../../contracts/index.js";
import { parseFields } from "../file-io.js";

interface ResumedRecord {
  readonly type: "resumed";
  readonly at: string;
  readonly attempt: number;
  readonly program: StoredProgram;
  readonly rights: JsonObject;
  readonly owner?: ProcessIdentity | undefined;
}

/**
 * A person approved a held call, or gave the input that its server wants. Written before the call is made: from then on the approval is
 * spent, whatever happens to the call.
 */
interface ReleasedRecord {
  readonly type: "released";
  readonly sequence: number;
  readonly at: string;
}

/** The server wants input before it finishes the call, so it has done nothing yet. The last one of a call counts. */
interface AskedRecord {
  readonly type: "asked";
  readonly sequence: number;
  readonly at: string;
  readonly input: OpenInput;
}

/** A person approved the calls of the program as a whole. Its opener wrote and sealed it. */
interface ApprovedRecord {
  readonly type: "approved";
  readonly at: string;
  readonly approval: JsonObject;
}

/** A line that the program printed. Only of background runs, so that other processes can read it while they run. */
interface PrintedRecord {
  readonly type: "printed";
  readonly at: string;
  readonly line: LogLine;
}

/** The program took another path: these calls were made and no longer count. */
interface ForkedRecord {
  readonly type: "forked";
  readonly at: string;
  readonly abandoned: readonly number[];
}

export type JournalRecord =
  | StartedRecord
  | ResumedRecord
  | IntentRecord
  | ReleasedRecord
  | AskedRecord
  | ApprovedRecord
  | AnswerRecord
  | ValueRecord
  | PrintedRecord
  | ForkedRecord
  | PausedRecord
  | EndedRecord;

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

export const isInverse = (value: unknown): value is RecordedInverse =>
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
