// One line of a journal as a record; a line that is none has no record.
import { type JournalRecord, parseJson } from "../../contracts/index.js";

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === "string";
const isCount = (value: unknown): boolean =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0;

/** Names of files beside the journal: never a way out of its folder. */
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

/** The record in a line; undefined when it is torn or foreign. */
export const parseRecord = (line: string): JournalRecord | undefined => {
  let record: unknown;
  try {
    record = parseJson(line);
  } catch {
    return undefined;
  }
  if (!isFields(record) || !isText(record.type) || !Object.hasOwn(checks, record.type)) return undefined;
  const isWhole = checks[record.type as JournalRecord["type"]](record);
  return isWhole ? (record as unknown as JournalRecord) : undefined;
};
